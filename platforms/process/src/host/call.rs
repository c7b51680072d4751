//! The system call instruction.
//!
//! Syscall User Dispatch lets system calls through whose *following* instruction lies in one range, and traps all
//! others. The range is these few bytes, which begin and end with instructions that are no system call.

use core::{
    arch::{asm, global_asm},
    ops::Range,
};

use super::number;

global_asm!(
    r#"
    .pushsection .text.whittle_host, "ax", @progbits
    .balign 16
    .globl whittle_host_call_short
whittle_host_call_short:
    xor r10d, r10d
    xor r8d, r8d
    xor r9d, r9d
    .globl whittle_host_call
whittle_host_call:
    syscall
    ret
    .globl whittle_host_clone
whittle_host_clone:
    syscall
    test eax, eax
    jz 2f
    ret
2:  xor ebp, ebp
    pop rdi
    ret
    .globl whittle_host_hold
whittle_host_hold:
    lock inc dword ptr [rdi + 4]
3:  mov eax, {give_way}
    syscall
    cmp dword ptr [rdi], 0
    jne 3b
    lock dec dword ptr [rdi + 4]
    ret
    .globl whittle_host_restore
whittle_host_restore:
    mov eax, {sigreturn}
    syscall
    ud2
    .globl whittle_host_clock
whittle_host_clock:
    mov eax, {clock_gettime}
    syscall
    ret
    .globl whittle_host_clock_end
whittle_host_clock_end:
    ud2
    .globl whittle_host_end
whittle_host_end:
    .popsection
"#,
    give_way = const number::SCHED_YIELD,
    sigreturn = const number::RT_SIGRETURN,
    clock_gettime = const number::CLOCK_GETTIME,
);

unsafe extern "sysv64" {
    static whittle_host_call_short: u8;
    static whittle_host_call: u8;
    static whittle_host_clone: u8;
    static whittle_host_hold: u8;
    static whittle_host_restore: u8;
    static whittle_host_clock: u8;
    static whittle_host_clock_end: u8;
    static whittle_host_end: u8;
}

/// The host refused: a Linux error number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostError(pub i32);

impl HostError {
    /// EINTR: a signal came first.
    pub const INTERRUPTED: Self = Self(4);
    /// EIO.
    pub const INPUT_OUTPUT: Self = Self(5);
    /// EAGAIN.
    pub const AGAIN: Self = Self(11);
    /// ENOMEM.
    pub const NO_MEMORY: Self = Self(12);
    /// EFAULT.
    pub const FAULT: Self = Self(14);
    /// EEXIST.
    pub const EXISTS: Self = Self(17);
    /// EINVAL.
    pub const INVALID: Self = Self(22);
    /// ENOSPC.
    pub const NO_SPACE: Self = Self(28);
    /// EOPNOTSUPP.
    pub const UNSUPPORTED: Self = Self(95);
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
    let argument = |index: usize| arguments.get(index).copied().unwrap_or(0);
    let result: isize;
    // The registers are the host's, so that a caller has nothing to move but what it passes.
    if N <= 3 {
        // SAFETY: the caller's promise. The host keeps all registers but these.
        unsafe {
            asm!("call {}", sym whittle_host_call_short, inlateout("rax") number => result,
                 in("rdi") argument(0), in("rsi") argument(1), in("rdx") argument(2),
                 out("r10") _, out("r8") _, out("r9") _, out("rcx") _, out("r11") _);
        }
    } else {
        // SAFETY: as above.
        unsafe {
            asm!("call {}", sym whittle_host_call, inlateout("rax") number => result,
                 in("rdi") argument(0), in("rsi") argument(1), in("rdx") argument(2), in("r10") argument(3),
                 in("r8") argument(4), in("r9") argument(5), out("rcx") _, out("r11") _);
        }
    }
    answer(result)
}

fn answer(result: isize) -> Result<usize, HostError> {
    match result {
        -4095..0 => Err(HostError(-result as i32)),
        _ => Ok(result as usize),
    }
}

/// clone(2): a thread that takes a word from `stack` as argument, and one as the function that it goes on with. What is
/// passed to the host for ids and a thread pointer is not looked at with the flags that we use.
///
/// # Safety
/// With `flags` the thread shares our memory; the stack is nobody's, and holds these words.
pub(super) unsafe fn clone(flags: usize, stack: usize) -> Result<usize, HostError> {
    let result: isize;
    // SAFETY: the caller's promise. The host keeps all registers but these, in both threads.
    unsafe {
        asm!("call {}", sym whittle_host_clone, inlateout("rax") number::CLONE => result,
             in("rdi") flags, in("rsi") stack, in("rdx") 0, in("r10") 0, in("r8") 0,
             out("rcx") _, out("r11") _);
    }
    answer(result)
}

/// Counts the thread among the held, whose count follows the word at `words`, and comes back when that word is 0. In
/// between it writes no memory at all.
///
/// # Safety
/// Both words are there until the count is 0 again.
pub unsafe fn hold(words: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        asm!("call {}", sym whittle_host_hold, in("rdi") words, out("rax") _, out("rcx") _, out("r11") _);
    }
}

/// Where system calls are let through: the addresses that may follow a `syscall` instruction.
pub fn instructions() -> Range<usize> {
    &raw const whittle_host_call as usize..&raw const whittle_host_end as usize
}

/// A function for programs, clock_gettime(2) of the host: it is none of the kernel's instructions, and a signal that
/// finds a thread there finds the program.
pub fn clock() -> Range<usize> {
    &raw const whittle_host_clock as usize..&raw const whittle_host_clock_end as usize
}

/// Where signal handlers return to.
pub fn restorer() -> usize {
    &raw const whittle_host_restore as usize
}
