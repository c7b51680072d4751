//! What holds a connection back, and for how long it did: the chronograph of `TCP_INFO`.

use super::{Connection, Marks};
use crate::{
    State,
    congestion::Congestion,
    context::Context,
    info::{Busy, Hold},
};

impl<C: Congestion> Connection<C> {
    /// What holds it back now.
    fn what_holds(&self) -> Hold {
        let (unsent, waits) = (self.unsent(), !self.send.records.is_empty());
        if unsent == 0 && !waits {
            return Hold::Idle;
        }
        let full = self.in_flight() >= self.send.congestion.segments;
        if unsent > 0 {
            let shut = self.window_room() < unsent.min(self.send.size.into());
            return if shut && !full { Hold::Window } else { Hold::Path };
        }
        let open = matches!(self.state, State::Established | State::CloseWait);
        if open && !full && self.is(Marks::WANTS_ROOM) { Hold::Queue } else { Hold::Path }
    }

    /// Looks anew what holds it back.
    #[inline(always)]
    pub fn note_hold(&mut self, cx: &Context<'_>) {
        let hold = self.what_holds();
        if hold == self.send.hold {
            return;
        }
        let (before, now) = (self.send.hold, cx.millis());
        let span = now.wrapping_sub(self.send.hold_since);
        (self.send.hold, self.send.hold_since) = (hold, now);
        if before == Hold::Idle || span == 0 {
            return;
        }
        self.send.busy = self.send.busy.wrapping_add(span);
        match before {
            Hold::Window => self.rare().held.0 += span,
            Hold::Queue => self.rare().held.1 += span,
            Hold::Idle | Hold::Path => {}
        }
    }

    pub fn busy(&self) -> Busy {
        let (by_window, by_queue) = self.rare.as_ref().map_or((0, 0), |rare| rare.held);
        Busy { now: self.send.hold, since: self.send.hold_since, all: self.send.busy, by_window, by_queue }
    }
}
