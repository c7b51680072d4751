//! restart_syscall(2): continues a sleep that a signal without a handler interrupted.

use linux_abi::Errno;

use crate::{Call, Result, current};

/// Programs do not call it; the kernel makes them.
pub fn restart_syscall(_: &mut Call) -> Result {
    let sleep = current().sleep.lock().take();
    sleep.ok_or(Errno::EINTR)?.go_on()
}
