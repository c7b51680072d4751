//! A sleep that can be gone on with after a signal without a handler.

use super::clock::Clock;
use linux_abi::UserAddress;

/// A sleep of relative length that a signal interrupted.
pub struct Sleep {
    /// By which clock.
    pub clock: Clock,
    /// When it ends, by that clock.
    pub end: u64,
    /// Where the time that is left is to be written; 0 for nowhere.
    pub remaining: UserAddress,
}
