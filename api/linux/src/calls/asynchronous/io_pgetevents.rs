//! io_pgetevents(2): what requests came to, waited for under another signal mask.

use crate::{
    Call, Result,
    objects::{asynchronous::waiting, signals, timers::moments, user},
};

/// The mask's address and size stand in a structure (`struct __aio_sigset`), as there is no seventh argument.
pub fn io_pgetevents(call: &mut Call) -> Result {
    let deadline = moments::limit(call.argument(4))?;
    let [set, size]: [usize; 2] = user::read_optional(call.argument(5))?.unwrap_or_default();
    signals::masked(set, size, || {
        let found = waiting::events(call, deadline);
        // Told by this, the mask stays until the signal that ended the wait is delivered.
        if found == Err(linux_abi::Errno::EINTR) { Err(linux_abi::Errno::ERESTARTNOHAND) } else { found }
    })
}
