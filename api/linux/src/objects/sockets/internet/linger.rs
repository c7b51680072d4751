//! Closing that waits: SO_LINGER, socket(7).

use contracts::{
    sockets,
    sockets_element::{Setting, Shutdown, State},
};
use vfs::FileError;

use super::Internet;
use crate::objects::descriptors::Description;

/// How often it is looked whether all has arrived: an acknowledgment makes a socket ready for nothing, and wakes
/// nobody.
const STEP: u64 = 5_000_000;

impl Internet {
    /// Waits until all bytes have arrived, and the end behind them, for as long as SO_LINGER says.
    pub fn linger(&self, description: &Description) {
        let Ok(Setting::Linger(Some(length))) = sockets::get(self.number, Setting::Linger(None)) else { return };
        if length.is_zero() || sockets::shut_down(self.number, Shutdown::Write).is_err() {
            return;
        }
        let end = contracts::clock::monotonic().saturating_add(length.as_nanos() as u64);
        while self.is_leaving() && contracts::clock::monotonic() < end {
            let next = end.min(contracts::clock::monotonic() + STEP);
            let waited = description.until(true, Some(next), |_| false, &mut || Err(FileError::WouldBlock));
            // A signal ends it, as on Linux.
            if waited != Err(linux_abi::Errno::EAGAIN) {
                return;
            }
        }
    }

    /// Whether bytes or the end are still on their way.
    fn is_leaving(&self) -> bool {
        let leaving = |state| matches!(state, State::FinWait1 | State::Closing | State::LastAck);
        sockets::stream(self.number).is_ok_and(|stream| leaving(stream.state))
    }
}
