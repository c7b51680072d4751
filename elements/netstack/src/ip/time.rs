//! What is due when.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use packets::Instant;

use super::Ip;
use crate::{parts::Parts, schedule::Schedule};

/// Something to be done at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Duty {
    /// Nobody has said that an address is taken: it is ours.
    Detected(u32, Ipv6Addr),
    /// Others are asked whether they have an address, so many times more.
    Probe(u32, Ipv4Addr, u8),
    /// Others are told of an address, so many times more.
    Announce(u32, Ipv4Addr, u8),
    /// Routers are asked, so many times more.
    SolicitRouters(u32, u8),
    /// Something that was told for a time ends.
    Expire,
    /// A change of groups is told once more: the group is joined, or left.
    Change(u32, IpAddr, bool),
    /// A query about a group is answered.
    Answer(u32, IpAddr),
    /// A query about all groups is answered; of IPv4 or IPv6.
    AnswerAll(u32, bool),
}

pub(super) type Duties = Schedule<Duty>;

impl<P: Parts> Ip<P> {
    /// Does what is due.
    pub fn poll(&mut self, now: Instant) {
        self.now = now;
        self.poll_neighbours(now);
        self.poll_reassembly(now);
        while let Some(duty) = self.duties.due(now) {
            match duty {
                Duty::Detected(number, address) => self.detected(number, address),
                Duty::Probe(number, address, left) => self.probe_again(number, address, left),
                Duty::Announce(number, address, left) => self.announce(number, address, left),
                Duty::SolicitRouters(number, left) => self.solicit_routers(number, left),
                Duty::Expire => self.expire(),
                Duty::Change(number, group, joined) => self.tell_change(number, group, joined),
                Duty::Answer(number, group) => self.answer(number, group),
                Duty::AnswerAll(number, v4) => self.answer_all(number, v4),
            }
        }
    }

    /// When [`Ip::poll`] has something to do, if ever.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.earliest().unless_never()
    }

    /// The same, or never.
    #[inline]
    pub(crate) fn earliest(&self) -> Instant {
        let looped = if self.looped.is_empty() { Instant::NEVER } else { self.now };
        self.neighbours.earliest().min(self.reassembly.earliest()).min(self.duties.earliest()).min(looped)
    }
}
