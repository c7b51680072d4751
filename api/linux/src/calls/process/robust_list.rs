//! The list of robust futexes.

use core::sync::atomic::Ordering;

use linux_abi::{Errno, UserAddress};

use crate::{
    Result, current,
    objects::{
        process::{current_in_line, linux},
        user,
    },
    process,
};

/// get_robust_list(2): what set_robust_list(2) said.
///
/// Of a thread of this process.
pub fn get_robust_list(id: i32, head: UserAddress, length: UserAddress) -> Result {
    let list = if id == 0 {
        current().robust_list.load(Ordering::Relaxed)
    } else {
        let thread = process().threads.lock().find(id).ok_or(Errno::ESRCH)?;
        linux(&thread).robust_list.load(Ordering::Relaxed)
    };
    user::answer_word(head, list)?;
    user::answer_word(length, HEAD_SIZE)
}

/// Bytes of `struct robust_list_head`.
pub const HEAD_SIZE: usize = 24;

/// set_robust_list(2): futexes to release when the thread dies.
///
/// Kept until the thread ends.
pub fn set_robust_list(head: UserAddress, length: usize) -> Result {
    if length != HEAD_SIZE {
        return Err(Errno::EINVAL);
    }
    current_in_line().robust_list.store(head.0, Ordering::Relaxed);
    Ok(0)
}
