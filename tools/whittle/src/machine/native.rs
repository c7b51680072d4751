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

/// What carries bytes: a thread for output, and one for input once the guest asks for some.
pub struct Carriers {
    to_guest: Option<UnixStream>,
    output: JoinHandle<()>,
}

impl Plain {
    /// Both ends, as options for whoever may have none.
    pub fn new() -> Result<(Option<Self>, Option<OwnedFd>), Failure> {
        let (ours, theirs) = UnixStream::pair().doing("make a socket")?;
        Ok((Some(Self(ours)), Some(theirs.into())))
    }

    /// Begins to carry output. When nobody reads it any more, the machine is killed.
    pub fn start(self, machine: Pid) -> Result<Carriers, Failure> {
        let to_guest = self.0.try_clone().doing("share a socket")?;
        let from_guest = self.0;
        let output = thread::spawn(move || {
            if carry_output(from_guest).is_err() {
                // That it just died is no error.
                let _ = kill_process(machine, Signal::KILL);
            }
        });
        Ok(Carriers { to_guest: Some(to_guest), output })
    }
}

impl Carriers {
    /// Begins to carry input.
    pub fn start_input(&mut self) {
        if let Some(to_guest) = self.to_guest.take() {
            thread::spawn(move || {
                // The machine's end shows elsewhere.
                let _ = carry_input(&to_guest);
            });
        }
    }

    /// Waits until all output is out; the machine has ended.
    pub fn finish(self) {
        // A panic there has been reported.
        let _ = self.output.join();
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
