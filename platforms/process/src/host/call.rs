//! The system call instruction.
//!
//! Syscall User Dispatch lets system calls through whose *following* instruction lies in one range, and traps all
//! others. The range is these few bytes, which begin and end with instructions that are no system call.

use core::{arch::global_asm, ops::Range};

use super::number;

global_asm!(
    r#"
    .pushsection .text.whittle_host, "ax", @progbits
    .balign 16
    .globl whittle_host_call
whittle_host_call:
    mov rax, rdi
    mov rdi, rsi
    mov rsi, rdx
    mov rdx, rcx
    mov r10, r8
    mov r8, r9
    mov r9, [rsp + 8]
    syscall
    ret
    .globl whittle_host_restore
whittle_host_restore:
    mov eax, {sigreturn}
    syscall
    ud2
    .globl whittle_host_end
whittle_host_end:
    .popsection
"#,
    sigreturn = const number::RT_SIGRETURN,
);

unsafe extern "sysv64" {
    fn whittle_host_call(number: usize, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize) -> isize;
    static whittle_host_restore: u8;
    static whittle_host_end: u8;
}

/// The host refused: a Linux error number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostError(pub i32);

impl HostError {
    /// EINTR: a signal came first.
    pub const INTERRUPTED: Self = Self(4);
    /// EAGAIN.
    pub const AGAIN: Self = Self(11);
    /// ENOMEM.
    pub const NO_MEMORY: Self = Self(12);
    /// EFAULT.
    pub const FAULT: Self = Self(14);
    /// EINVAL.
    pub const INVALID: Self = Self(22);
    /// ENOTTY.
    pub const NOT_TERMINAL: Self = Self(25);
    /// EPIPE.
    pub const BROKEN_PIPE: Self = Self(32);
}

/// Makes a system call. Missing arguments are zero.
///
/// # Safety
/// Whatever the call does to our memory keeps Rust's promises.
pub(super) unsafe fn call<const N: usize>(number: usize, arguments: [usize; N]) -> Result<usize, HostError> {
    const { assert!(N <= 6, "a system call has six arguments") };
    let mut all = [0; 6];
    all[..N].copy_from_slice(&arguments);
    let [a, b, c, d, e, f] = all;
    // SAFETY: the caller's promise.
    let result = unsafe { whittle_host_call(number, a, b, c, d, e, f) };
    match result {
        -4095..0 => Err(HostError(-result as i32)),
        _ => Ok(result as usize),
    }
}

/// Where system calls are let through: the addresses that may follow a `syscall` instruction.
pub fn instructions() -> Range<usize> {
    whittle_host_call as *const () as usize..&raw const whittle_host_end as usize
}

/// Where signal handlers return to.
pub fn restorer() -> usize {
    &raw const whittle_host_restore as usize
}
