//! A watcher at work: it answers until something has changed, or until nobody has asked for a while.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SendFlags, SocketFlags, SocketType, accept_with, bind, listen, send, socket_with};
use rustix::process::geteuid;

use super::question::ANSWER;
use super::{Address, Built, Changes};
use crate::child::peer;
use crate::fresh::stamp;

/// Starts that may wait for an answer at once; others look themselves.
const WAITING: i32 = 16;

/// A process that knows whether things are built from their sources as they are.
pub struct Watcher {
    listener: OwnedFd,
    changes: Changes,
    answer: Vec<u8>,
}

impl Watcher {
    /// Begins to watch the sources of these things. An error if somebody is at this address already, if the host cannot
    /// tell of all changes, or if none of the things is current: then there is nothing to say.
    pub fn begin(address: Address, root: &Path, things: &[Built]) -> io::Result<Self> {
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let listener = socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
        bind(&listener, &address.socket()?)?;
        let mut changes = Changes::new()?;
        for thing in things {
            // First the stamp, so that its list is the one that counts.
            changes.tell_of(&thing.stamp)?;
            stamp::listed(&thing.stamp).iter().try_for_each(|source| changes.tell_of(&root.join(source)))?;
        }
        // All changes from here on are told of, so this is the last look.
        let current = things.iter().filter(|thing| stamp::is_fresh(&thing.stamp, root, &thing.words));
        let answer: Vec<u8> = current.flat_map(|thing| thing.number().to_le_bytes()).take(ANSWER).collect();
        if answer.is_empty() || !changes.is_quiet() {
            return Err(Errno::AGAIN.into());
        }
        // Until now whoever connected was refused at once, and looked.
        listen(&listener, WAITING)?;
        Ok(Self { listener, changes, answer })
    }

    /// Answers until something changes, or nobody asks for so long.
    pub fn serve(self, patience: Duration) -> io::Result<()> {
        let mut end = Instant::now() + patience;
        while let Some(rest) = end.checked_duration_since(Instant::now()) {
            // Whoever waits for an answer now may have caused the change: they get none, but see the connection end.
            if !self.wait(rest)? || !self.changes.is_quiet() {
                break;
            }
            if self.answer()? {
                end = Instant::now() + patience;
            }
        }
        Ok(())
    }

    /// Waits for a question, or for what may be a change. False if mounts have changed: that is told once only.
    fn wait(&self, longest: Duration) -> io::Result<bool> {
        let [queue, mounts] = self.changes.files();
        let mut files = [
            PollFd::from_borrowed_fd(queue, PollFlags::IN),
            PollFd::from_borrowed_fd(mounts, PollFlags::PRI),
            PollFd::new(&self.listener, PollFlags::IN),
        ];
        let longest = Timespec::try_from(longest).map_err(io::Error::other)?;
        match poll(&mut files, Some(&longest)) {
            Ok(_) => Ok(files[1].revents().is_empty()),
            Err(Errno::INTR) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    /// Answers who asks, if anybody does; says whether there was somebody.
    fn answer(&self) -> io::Result<bool> {
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let asker = match accept_with(&self.listener, flags) {
            Ok(asker) => asker,
            Err(Errno::AGAIN | Errno::INTR | Errno::CONNABORTED) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        let (_, user) = peer(&asker)?;
        if user != geteuid().as_raw() {
            return Ok(false);
        }
        // The queue is empty *after* the question, which is what makes the answer true.
        if !self.changes.is_quiet() {
            return Err(Errno::AGAIN.into());
        }
        // Who no longer waits has looked.
        let _ = send(&asker, &self.answer, SendFlags::NOSIGNAL);
        Ok(true)
    }
}
