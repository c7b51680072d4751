//! pause(2): waits for a signal.

use kernel::task::sleep_until;
use linux_abi::Errno;

use crate::{Call, Result};

/// Ends by a handler, with EINTR.
pub fn pause(_: &mut Call) -> Result {
    sleep_until(None, &mut || false);
    Err(Errno::ERESTARTNOHAND)
}
