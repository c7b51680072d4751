//! rt_sigpending(2): which blocked signals wait.

use linux_abi::Errno;

use crate::{
    Call, Result,
    objects::{signals::arguments, user},
};

/// Tells the set.
pub fn rt_sigpending(call: &mut Call) -> Result {
    let size = call.argument(1);
    if size > arguments::SET_SIZE {
        return Err(Errno::EINVAL);
    }
    let shared = crate::objects::process::process_signals().pending.set();
    let set = {
        let thread = crate::objects::process::thread_signals();
        thread.pending.set().union(shared).intersection(thread.blocked)
    };
    user::copy_out(call.argument(0), &set.0.to_le_bytes()[..size])?;
    Ok(0)
}
