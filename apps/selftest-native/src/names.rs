//! Names of machines. Within the machine a server answers for them, which Linux as the reference does not have.

use std::{net::ToSocketAddrs, prelude::v1::*};

use crate::tally::Tally;

pub fn check(tally: &mut Tally) {
    let own: Vec<_> = ("localhost", 80).to_socket_addrs().unwrap().collect();
    holds!(tally, !own.is_empty() && own.iter().all(|address| address.ip().is_loopback() && address.port() == 80));
    holds!(tally, ("not a name", 80).to_socket_addrs().is_err());
    holds!(tally, "..:80".to_socket_addrs().is_err());
}

/// What Linux does not have.
#[cfg(target_os = "none")]
pub use inside::check as check_inside;

#[cfg(target_os = "none")]
mod inside {
    use std::{
        io::{ErrorKind, Read, Write},
        net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs, UdpSocket},
        prelude::v1::*,
        thread,
    };

    use crate::tally::Tally;

    /// An answer to a question: by its first letter it is known, unknown, too long for a datagram, or without an
    /// address.
    fn answer(question: &[u8], over_stream: bool) -> Vec<u8> {
        let mut answer = question.to_vec();
        let v4 = question[question.len() - 3] == 1;
        (answer[2], answer[3]) = (0x81, 0x80);
        match question[13].to_ascii_lowercase() {
            b'u' => answer[3] |= 3,
            b'l' if !over_stream => answer[2] |= 2,
            b'k' | b'l' if v4 => {
                answer[7] = 1;
                answer.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 1, 2, 3]);
            }
            _ => {}
        }
        answer
    }

    fn serve_datagrams(socket: UdpSocket) {
        let mut bytes = [0; 512];
        while let Ok((count @ 1.., from)) = socket.recv_from(&mut bytes) {
            socket.send_to(&answer(&bytes[..count], false), from).unwrap();
        }
    }

    fn serve_stream(mut stream: TcpStream) {
        let mut length = [0; 2];
        stream.read_exact(&mut length).unwrap();
        let mut question = vec![0; usize::from(u16::from_be_bytes(length))];
        stream.read_exact(&mut question).unwrap();
        let answer = answer(&question, true);
        stream.write_all(&(answer.len() as u16).to_be_bytes()).unwrap();
        stream.write_all(&answer).unwrap();
    }

    pub fn check(tally: &mut Tally) {
        // The image names 127.0.0.1 as its server.
        let socket = UdpSocket::bind("127.0.0.1:53").unwrap();
        let listener = TcpListener::bind("127.0.0.1:53").unwrap();
        let datagrams = thread::spawn(move || serve_datagrams(socket));
        // One for each family: both answers are too long.
        let stream = thread::spawn(move || listener.incoming().take(2).for_each(|stream| serve_stream(stream.unwrap())));
        let look_up = |text: &str| text.to_socket_addrs().map(Iterator::collect::<Vec<_>>).map_err(|error| error.kind());
        let known = Ok(vec![SocketAddr::from(([10, 1, 2, 3], 80))]);
        same!(tally, look_up("known.test:80"), known);
        same!(tally, look_up("LONG.test.:80"), known);
        same!(tally, look_up("unknown.test:80"), Err(ErrorKind::NotFound));
        same!(tally, look_up("empty.test:80"), Err(ErrorKind::NotFound));
        same!(tally, TcpStream::connect("unknown.test:80").map(drop).unwrap_err().kind(), ErrorKind::NotFound);
        stream.join().unwrap();
        // An empty datagram ends the server; then nobody is there, which is told at once.
        UdpSocket::bind("127.0.0.1:0").unwrap().send_to(&[], "127.0.0.1:53").unwrap();
        datagrams.join().unwrap();
        holds!(tally, look_up("known.test:80").is_err());
    }
}
