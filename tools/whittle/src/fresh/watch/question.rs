//! A start's question to a watcher: connecting is the question, and the answer names what is current.

use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{AddressFamily, RecvFlags, SocketFlags, SocketType, connect, recv, socket_with};
use rustix::process::geteuid;

use super::{Address, Built};
use crate::child::peer;

/// The longest that a start waits for an answer: about what looking itself would take.
const WAIT: Timespec = Timespec { tv_sec: 0, tv_nsec: 2_000_000 };

/// One start asks about all it uses at once. If it builds something meanwhile, it asks again.
const HOLDS: Duration = Duration::from_millis(10);

/// Bytes of an answer at most: a number for each thing that is watched.
pub const ANSWER: usize = 64;

/// What was heard of a watcher at a moment.
pub struct Answer {
    address: Address,
    moment: Instant,
    heard: Result<(i32, Vec<u8>), Errno>,
}

impl Answer {
    /// Asks the watcher at `address` what is built from its sources as they are at this moment. Whatever goes wrong is
    /// an answer too.
    #[must_use]
    pub fn ask(address: Address) -> Self {
        let moment = Instant::now();
        Self { address, moment, heard: ask(address) }
    }

    /// Whether it is of this address, and of just now.
    #[must_use]
    pub fn holds(&self, address: Address) -> bool {
        self.address == address && self.moment.elapsed() < HOLDS
    }

    /// The process that has watched the sources of this, if they are what it was built from. Anything else in the
    /// answer is for others.
    #[must_use]
    pub fn watcher_of(&self, built: &Built) -> Option<i32> {
        let number = built.number().to_le_bytes();
        let (process, said) = self.heard.as_ref().ok()?;
        said.chunks_exact(number.len()).any(|said| said == number).then_some(*process)
    }

    /// Whether somebody has said anything.
    #[cfg(test)]
    pub fn is_heard(&self) -> bool {
        self.heard.is_ok()
    }

    /// Whether nobody watches: not even somebody who knows of nothing, or is slow.
    #[must_use]
    pub fn is_nobodys(&self) -> bool {
        matches!(self.heard, Err(Errno::CONNREFUSED))
    }
}

fn ask(address: Address) -> Result<(i32, Vec<u8>), Errno> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
    connect(&socket, &address.socket()?)?;
    let (process, user) = peer(&socket)?;
    if user != geteuid().as_raw() {
        return Err(Errno::ACCESS);
    }
    if poll(&mut [PollFd::new(&socket, PollFlags::IN)], Some(&WAIT))? == 0 {
        return Err(Errno::TIMEDOUT);
    }
    let mut bytes = [0; ANSWER];
    let (length, _) = recv(&socket, &mut bytes[..], RecvFlags::empty())?;
    Ok((process, bytes[..length].to_vec()))
}
