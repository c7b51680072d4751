//! get_robust_list(2): what set_robust_list(2) said.

use core::sync::atomic::Ordering;

use linux_abi::Errno;

use crate::{Call, Result, current, process::set_robust_list::HEAD_SIZE, user};

/// Of this thread.
pub fn get_robust_list(call: &mut Call) -> Result {
    let id = call.int(0);
    if id != 0 && id != current().id() as i32 {
        return Err(Errno::ESRCH);
    }
    user::answer_word(call.argument(1), current().robust_list.load(Ordering::Relaxed))?;
    user::answer_word(call.argument(2), HEAD_SIZE)
}
