//! What lies in a program's memory, looked at and changed there: a structure that is built in the kernel and copied
//! costs each word twice.
//!
//! Unsafe: the program's memory is reached by its address.
#![allow(unsafe_code)]

use machine::PAGE_SIZE;

/// Shows `work` the bytes at `address`, at most a page. `None`, and `work` is not called, where that cannot be
/// ([`machine::UserMemory::open_place`]); a copy may still be possible then. `work` makes no other copy to or from the
/// program, and neither waits nor takes long.
#[inline(always)]
pub fn in_place<R>(address: usize, length: usize, work: impl FnOnce(&mut [u8]) -> R) -> Option<R> {
    debug_assert!(length <= PAGE_SIZE, "more than a page is not looked at in its place");
    if !contracts::user_memory::open_place(address, length) {
        return None;
    }
    // SAFETY: the bytes are there and can be stored to, and nobody else reaches them before the place is closed; they
    // are the program's, so no other Rust reference covers them, and any bytes are valid ones.
    let result = work(unsafe { core::slice::from_raw_parts_mut(address as *mut u8, length) });
    contracts::user_memory::close_place();
    Some(result)
}
