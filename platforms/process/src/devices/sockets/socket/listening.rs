//! A socket that listens: for one of the machine's, or for several that share a published port.

use core::net::SocketAddr;

use sockets::{Error, Readiness, Waiting};

use super::{HostSocket, checked, host, shared::Dealt, told};

impl HostSocket {
    /// See [`sockets::Outside::listen`].
    pub fn listen(&self, backlog: u32) -> Result<(), Error> {
        checked(host::listen(self.descriptor, backlog))?;
        self.state.lock().listening = true;
        Ok(())
    }

    /// A connection that has come.
    fn take(&self) -> Result<Dealt, Error> {
        self.attempt(Readiness::READABLE, |state| {
            state.doubtful |= Readiness::READABLE;
            host::accept(self.descriptor)
        })
    }

    /// One for this listener.
    fn take_for(&self, number: u64) -> Result<Dealt, Error> {
        if !self.is_shared() {
            return self.take();
        }
        let dealt = self.deal();
        // Not in the condition, for the lock would be held.
        let taken = self.sharers.lock().take(number);
        taken.ok_or_else(|| dealt.err().unwrap_or(Error::WouldBlock))
    }

    /// See [`sockets::Outside::accept`].
    pub fn accept(&self, number: u64, waiting: Waiting) -> Result<(Self, SocketAddr), Error> {
        let (descriptor, from) = self.take_for(number)?;
        let mut accepted = Self::of(descriptor, self.form, self.family, None, waiting);
        accepted.shown = self.shown;
        let from = from.read().ok_or(Error::Aborted)?;
        Ok((accepted, told::seen(from, self.only_v4())))
    }

    /// The host has told of a change: wakes who waits for it.
    pub fn tell(&self, events: u32) {
        self.note(events);
        if self.is_shared() {
            // Whoever accepts is told of an error.
            let _ = self.deal();
        }
        self.waiting.wake_all();
    }

    fn is_shared(&self) -> bool {
        self.form.is_stream() && self.port.is_some() && self.sharers.lock().are_there()
    }

    /// Is another's too from now on, beside the one who has had it alone.
    pub fn share(&self, first: u64, number: u64, waiting: Waiting) {
        let mut sharers = self.sharers.lock();
        if !sharers.are_there() {
            sharers.join(first, Waiting::clone(&self.waiting));
        }
        sharers.join(number, waiting);
    }

    /// One of those who share it has gone; whom changes are told from now on, if there is anybody.
    pub fn leave(&self, number: u64) -> Option<u64> {
        let (lost, first) = self.sharers.lock().leave(number);
        lost.into_iter().for_each(|(descriptor, _)| host::close(descriptor));
        first
    }

    /// Gives connections that have come to those who share the port.
    fn deal(&self) -> Result<(), Error> {
        let (woken, ended) = self.sharers.lock().deal(|| self.take());
        woken.into_iter().for_each(|waiting| waiting.wake_all());
        match ended {
            None | Some(Error::WouldBlock) => Ok(()),
            Some(error) => Err(error),
        }
    }

    /// What it is ready for, to this one of those who share it.
    pub fn readiness_for(&self, number: u64) -> Readiness {
        let ready = self.readiness();
        if !self.is_shared() {
            return ready;
        }
        if ready.contains(Readiness::READABLE) {
            // Whoever accepts is told of an error.
            let _ = self.deal();
        }
        if self.sharers.lock().is_dry(number) { ready - Readiness::READABLE } else { ready | Readiness::READABLE }
    }
}
