//! set_robust_list(2): futexes to release when the thread dies.

use core::sync::atomic::Ordering;

use linux_abi::Errno;

use crate::{Call, Result, objects::process::current_in_line};

/// Bytes of `struct robust_list_head`.
pub const HEAD_SIZE: usize = 24;

/// Kept until the thread ends.
pub fn set_robust_list(call: &mut Call) -> Result {
    if call.argument(1) != HEAD_SIZE {
        return Err(Errno::EINVAL);
    }
    current_in_line().robust_list.store(call.argument(0), Ordering::Relaxed);
    Ok(0)
}
