//! When what a program has written went on its way, and when it arrived: `SO_TIMESTAMPING`, of Linux'
//! Documentation/networking/timestamping.rst. Stamps are of the last byte of each write.

use alloc::collections::VecDeque;

use packets::{Instant, tcp::SequenceNumber};

use super::Connection;
use crate::{Moments, Stamp, congestion::Congestion, context::Context};

/// Writes that have not arrived, and stamps that nobody has taken: beyond that there are none for later writes.
const MOST: usize = 256;

/// What a connection that stamps keeps.
#[derive(Debug, Default)]
pub struct Stamps {
    /// The number of byte 0.
    base: SequenceNumber,
    /// Behind the last bytes of writes that are not all sent; and of those that are not acknowledged.
    unsent: VecDeque<SequenceNumber>,
    waiting: VecDeque<SequenceNumber>,
    told: VecDeque<Stamp>,
}

impl Stamps {
    fn tell(&mut self, moment: Moments, at: Instant, end: SequenceNumber) {
        if self.told.len() < MOST {
            self.told.push_back(Stamp { moment, at, byte: end - self.base - 1 });
        }
    }
}

impl<C: Congestion> Connection<C> {
    fn stamps(&mut self) -> Option<&mut Stamps> {
        self.rare.as_deref_mut().and_then(|rare| rare.stamps.as_deref_mut())
    }

    /// The moments that are wanted have changed.
    pub fn set_stamps(&mut self) {
        if !self.settings.moments.is_empty() && self.stamps().is_none() {
            let base = self.send.una;
            self.rare().stamps = Some(alloc::boxed::Box::new(Stamps { base, ..Stamps::default() }));
        }
    }

    /// A write ends here.
    pub fn stamp_written(&mut self) {
        let (end, wanted) = (self.send.queue.end(), !self.settings.moments.is_empty());
        if let Some(stamps) = self.stamps().filter(|stamps| wanted && stamps.unsent.len() < MOST) {
            stamps.unsent.push_back(end);
        }
    }

    /// Something was sent for the first time.
    pub fn stamp_sent(&mut self, cx: &mut Context<'_>) {
        let (next, wanted) = (self.send.next, self.settings.moments);
        let Some(stamps) = self.stamps() else { return };
        let told = stamps.told.len();
        while let Some(end) = stamps.unsent.pop_front_if(|end| end.is_at_most(next)) {
            for moment in (wanted & (Moments::SCHEDULED | Moments::SENT)).iter() {
                stamps.tell(moment, cx.now, end);
            }
            if wanted.contains(Moments::ACKNOWLEDGED) && stamps.waiting.len() < MOST {
                stamps.waiting.push_back(end);
            }
        }
        if stamps.told.len() > told {
            self.tell(cx);
        }
    }

    /// SND.UNA has moved on.
    pub fn stamp_acknowledged(&mut self, cx: &mut Context<'_>) {
        let una = self.send.una;
        let Some(stamps) = self.stamps() else { return };
        let told = stamps.told.len();
        while let Some(end) = stamps.waiting.pop_front_if(|end| end.is_at_most(una)) {
            stamps.tell(Moments::ACKNOWLEDGED, cx.now, end);
        }
        if stamps.told.len() > told {
            self.tell(cx);
        }
    }

    /// The oldest stamp that nobody has taken.
    pub fn take_stamp(&mut self) -> Option<Stamp> {
        self.stamps()?.told.pop_front()
    }

    /// Whether there is one.
    pub fn has_stamp(&self) -> bool {
        self.rare.as_deref().and_then(|rare| rare.stamps.as_deref()).is_some_and(|stamps| !stamps.told.is_empty())
    }

    /// How many stretches of lent memory one packet is made of, at most: a device has few descriptors, and Linux'
    /// packets as many places (`MAX_SKB_FRAGS`).
    const MOST_LENT: u8 = 17;

    /// A stretch of lent memory joins the open piece, or begins another where that has as many as it may.
    pub fn note_lent(&mut self) {
        let end = self.send.queue.end();
        let open = self.send.pieces.open(self.send.next, end) > 0;
        let lent = &mut self.rare().lent;
        *lent = if open { *lent + 1 } else { 1 };
        if *lent > Self::MOST_LENT {
            *lent = 1;
            self.send.pieces.close(end, true);
        }
    }
}
