//! What may be sent waits while segments are taken that have come at one moment ([`crate::Tcp::gather`]).

use super::{Connection, Marks};
use crate::{congestion::Congestion, context::Context};

impl<C: Congestion> Connection<C> {
    /// Whether what may be sent waits for more segments that have come. An acknowledgment that is owed at once does
    /// not, and bytes go with it.
    pub fn gathers(&mut self, cx: &mut Context<'_>) -> bool {
        let gathers = cx.shared.gathers && !self.is(Marks::ACK_NOW);
        if gathers && !self.is(Marks::GATHERS) {
            self.marks.insert(Marks::GATHERS);
            cx.shared.gathered.push(self.handle);
        }
        gathers
    }

    /// All of them are taken.
    pub fn send_gathered(&mut self, cx: &mut Context<'_>) {
        if self.is(Marks::GATHERS) {
            self.marks.remove(Marks::GATHERS);
            self.output(cx);
        }
    }
}
