//! The list of robust futexes.

use core::sync::atomic::Ordering;

use linux_abi::Errno;

use crate::{
    Call, Result, current,
    objects::{
        process::{current_in_line, linux},
        user,
    },
    process,
};

/// get_robust_list(2): what set_robust_list(2) said.
///
/// Of a thread of this process.
pub fn get_robust_list(call: &mut Call) -> Result {
    let id = call.int(0);
    let list = if id == 0 {
        current().robust_list.load(Ordering::Relaxed)
    } else {
        let thread = process().threads.lock().find(id).ok_or(Errno::ESRCH)?;
        linux(&thread).robust_list.load(Ordering::Relaxed)
    };
    user::answer_word(call.argument(1), list)?;
    user::answer_word(call.argument(2), HEAD_SIZE)
}

/// Bytes of `struct robust_list_head`.
pub const HEAD_SIZE: usize = 24;

/// set_robust_list(2): futexes to release when the thread dies.
///
/// Kept until the thread ends.
pub fn set_robust_list(call: &mut Call) -> Result {
    if call.argument(1) != HEAD_SIZE {
        return Err(Errno::EINVAL);
    }
    current_in_line().robust_list.store(call.argument(0), Ordering::Relaxed);
    Ok(0)
}
