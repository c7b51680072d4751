//! F-RTO: RFC 5682, 3.1, with SACK. A timeout may have been a delay: before all is sent again, the next acknowledgments
//! tell.

use super::{Connection, acknowledge::News};
use crate::{
    congestion::Congestion,
    context::Context,
    info::Phase,
    recovery::Doubt,
    send::{Fate, Record},
};

impl<C: Congestion> Connection<C> {
    /// A timeout has begun: is it worth a doubt? One in the middle of a recovery is not, nor a probe of the path.
    pub fn begin_to_doubt(&mut self, first: bool) {
        let doubted = first || self.send.tries > 0;
        self.send.recovery.doubt = if doubted { Doubt::Waiting } else { Doubt::None };
    }

    /// Whether lost segments wait until the doubt is over.
    pub fn holds_repairs(&self) -> bool {
        self.send.recovery.doubt == Doubt::Trying
    }

    /// Whether a record that has arrived was sent once, and before the timeout: then not all was lost.
    pub fn is_original(&self, record: &Record) -> bool {
        !record.fate.contains(Fate::REPEATED) && record.end.is_at_most(self.send.recovery.point)
    }

    /// What an acknowledgment says about the last timeout. If it was needless, all is as before.
    pub fn settle_doubt(&mut self, cx: &mut Context<'_>, news: &News) {
        if self.send.recovery.phase != Phase::Loss || self.send.recovery.doubt == Doubt::None {
            return;
        }
        if news.original && self.episode.is_some() {
            // Step 3 (b): what was sent before the timeout, and not again, has arrived.
            cx.shared.statistics.needless_timeouts += 1;
            return self.take_back(cx);
        }
        let point = self.send.recovery.point;
        let recovered = point.is_at_most(self.send.una);
        let next = if self.send.next.is_behind(point) {
            // Step 3 (a): a duplicate says that the loss was real.
            if news.sacked > 0 || news.repeated { Doubt::None } else { Doubt::Open }
        } else if news.advanced && !recovered {
            if self.unsent() > 0 && self.window_room() > 0 { Doubt::Trying } else { Doubt::None }
        } else {
            self.send.recovery.doubt
        };
        self.send.recovery.doubt = next;
    }
}
