//! pause(2): waits for a signal.

use kernel::task::{Waited, wait};
use linux_abi::Errno;

use crate::{Call, Result};

/// Ends by a handler, with EINTR.
pub fn pause(_: &mut Call) -> Result {
    match wait(None, || None::<()>) {
        Waited::Interrupted | Waited::TimedOut | Waited::Ready(()) => Err(Errno::ERESTARTNOHAND),
    }
}
