//! The serial port of a native image as the person's input and output: plain bytes, no frames.

use std::io::{self, Read, Write, stdin, stdout};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::thread::{self, JoinHandle};

use rustix::process::{Pid, Signal, kill_process};

use crate::failure::{Doing, Failure};

/// What ends a native image's input on a serial port (ASCII's EOT, as a terminal's Ctrl-D).
const END: u8 = 4;

/// Our end of the serial port.
pub struct Plain(UnixStream);

/// The threads that carry bytes.
pub struct Carriers(JoinHandle<()>);

impl Plain {
    /// Both ends, as options for whoever may have none.
    pub fn new() -> Result<(Option<Self>, Option<OwnedFd>), Failure> {
        let (ours, theirs) = UnixStream::pair().doing("make a socket")?;
        Ok((Some(Self(ours)), Some(theirs.into())))
    }

    /// Begins to carry. When nobody reads the output any more, the machine is killed.
    pub fn start(self, machine: Pid) -> Result<Carriers, Failure> {
        let to_guest = self.0.try_clone().doing("share a socket")?;
        thread::spawn(move || {
            // The machine's end shows elsewhere.
            let _ = carry_input(&to_guest);
        });
        let from_guest = self.0;
        Ok(Carriers(thread::spawn(move || {
            if carry_output(from_guest).is_err() {
                // That it just died is no error.
                let _ = kill_process(machine, Signal::KILL);
            }
        })))
    }
}

impl Carriers {
    /// Waits until all output is out; the machine has ended.
    pub fn finish(self) {
        // A panic there has been reported.
        let _ = self.0.join();
    }
}

fn carry_input(mut to_guest: &UnixStream) -> io::Result<()> {
    let mut buffer = [0; 4096];
    loop {
        match stdin().read(&mut buffer)? {
            0 => return to_guest.write_all(&[END]),
            count => to_guest.write_all(&buffer[..count])?,
        }
    }
}

fn carry_output(mut from_guest: UnixStream) -> io::Result<()> {
    let mut buffer = [0; 4096];
    loop {
        let count = match from_guest.read(&mut buffer) {
            Ok(0) | Err(_) => return Ok(()),
            Ok(count) => count,
        };
        let mut out = stdout().lock();
        out.write_all(&buffer[..count])?;
        out.flush()?;
    }
}
