//! Several segments at one moment. Each acknowledgment lets some more go; one packet for all of them is better than a
//! small one for each. For small packets bring acknowledgments in small steps, which make the next ones small: a window
//! would fall apart, and with it what a device that cuts saves, and every packet may be the one that is lost.

use packets::Instant;

use super::Tcp;
use crate::{Network, congestion::Congestion};

impl<C: Congestion> Tcp<C> {
    /// Segments follow that have come at one moment: what their acknowledgments let go waits for [`Tcp::gathered`].
    pub const fn gather(&mut self) {
        self.shared.gathers = true;
    }

    /// All of them are taken: what waits is sent.
    pub fn gathered(&mut self, now: Instant, network: &mut dyn Network) {
        self.shared.gathers = false;
        while let Some(handle) = self.shared.gathered.pop() {
            self.with(now, network, handle.index, |connection, cx| connection.send_gathered(cx));
        }
    }
}
