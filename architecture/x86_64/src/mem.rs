//! The functions about memory that compilers call by name (ISO C, 7.26), for hard-float images: their target has them
//! in a C library, and there is none here. The kernel's own target brings them along.
//!
//! The instructions are the processor's own for strings: written in Rust, a compiler would recognise the loops and call
//! these very functions.
#![cfg(all(target_os = "linux", target_env = "musl"))]

use core::arch::asm;

/// See memcpy(3).
///
/// # Safety
/// `count` bytes are readable and writable there, and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    // SAFETY: the caller's promise; the direction flag is clear, as the ABI has it.
    unsafe {
        asm!("rep movsb", inout("rdi") to => _, inout("rsi") from => _, inout("rcx") count => _,
             options(nostack, preserves_flags));
    }
    to
}

/// See memmove(3).
///
/// # Safety
/// `count` bytes are readable and writable there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    if to.addr().wrapping_sub(from.addr()) >= count {
        // SAFETY: copied upwards, no byte is overwritten before it is read.
        return unsafe { memcpy(to, from, count) };
    }
    let (last_to, last_from) = (to.wrapping_add(count).wrapping_sub(1), from.wrapping_add(count).wrapping_sub(1));
    // SAFETY: the same downwards; the direction flag is put back.
    unsafe {
        asm!("std", "rep movsb", "cld", inout("rdi") last_to => _, inout("rsi") last_from => _, inout("rcx") count => _,
             options(nostack));
    }
    to
}

/// See memset(3).
///
/// # Safety
/// `count` bytes are writable there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memset(to: *mut u8, byte: i32, count: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe {
        asm!("rep stosb", inout("rdi") to => _, inout("rcx") count => _, in("al") byte as u8,
             options(nostack, preserves_flags));
    }
    to
}

/// See memcmp(3).
///
/// # Safety
/// `count` bytes are readable at both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memcmp(left: *const u8, right: *const u8, count: usize) -> i32 {
    let difference: i32;
    // SAFETY: the caller's promise. Comparing first makes the flags say "equal" where there is nothing to compare.
    unsafe {
        asm!("cmp eax, eax", "repe cmpsb", "seta al", "setb dl", "sub al, dl", "movsx eax, al",
             inout("rsi") left => _, inout("rdi") right => _, inout("rcx") count => _,
             out("eax") difference, out("edx") _, options(nostack, readonly));
    }
    difference
}

/// As [`memcmp`], only whether they differ: see bcmp(3).
///
/// # Safety
/// As [`memcmp`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bcmp(left: *const u8, right: *const u8, count: usize) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { memcmp(left, right, count) }
}
