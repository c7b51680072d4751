//! What carries frames between a test and a machine.

use std::io::{Read, Write};
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a frame may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A link.
pub enum Link {
    Datagrams(Datagrams),
    Stream(Stream),
}

impl Link {
    pub fn send(&mut self, frame: &[u8]) {
        match self {
            Self::Datagrams(Datagrams { socket, remote }) => {
                assert_eq!(socket.send_to(frame, remote).unwrap(), frame.len())
            }
            Self::Stream(Stream(stream)) => {
                stream.write_all(&[&(frame.len() as u32).to_be_bytes(), frame].concat()).unwrap();
            }
        }
    }

    /// The next frame.
    pub fn receive(&mut self) -> Vec<u8> {
        match self {
            Self::Datagrams(Datagrams { socket, .. }) => {
                let mut frame = vec![0; 70_000];
                let length = socket.recv(&mut frame).expect("a frame comes");
                frame.truncate(length);
                frame
            }
            Self::Stream(Stream(stream)) => {
                let mut length = [0; 4];
                stream.read_exact(&mut length).expect("a frame comes");
                let mut frame = vec![0; u32::from_be_bytes(length) as usize];
                stream.read_exact(&mut frame).expect("all of the frame comes");
                frame
            }
        }
    }
}

/// A frame in each datagram.
pub struct Datagrams {
    socket: UnixDatagram,
    remote: PathBuf,
}

impl Datagrams {
    pub fn bind(ours: &Path, remote: &Path) -> Self {
        let socket = UnixDatagram::bind(ours).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        Self { socket, remote: remote.into() }
    }
}

/// Frames behind their lengths, as passt has them.
pub struct Stream(UnixStream);

/// Waits for a machine.
pub struct Listener(UnixListener);

impl Stream {
    pub fn listen(path: &Path) -> Listener {
        Listener(UnixListener::bind(path).unwrap())
    }
}

impl Listener {
    pub fn accept(&self) -> Stream {
        let (stream, _) = self.0.accept().unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Stream(stream)
    }
}
