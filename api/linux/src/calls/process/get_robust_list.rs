//! get_robust_list(2): what set_robust_list(2) said.

use core::sync::atomic::Ordering;

use linux_abi::Errno;

use super::set_robust_list::HEAD_SIZE;
use crate::{
    Call, Result, current,
    objects::{process::linux, user},
    process,
};

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
