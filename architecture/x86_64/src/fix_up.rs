//! Instructions that may fault on purpose, and where to go on when they do.
//!
//! A few routines move bytes and words, and four move vector state; they are the only kernel code that touches the
//! application's memory. A fault handler that finds the interrupted instruction here first tries to bring the page in,
//! then goes on at [`find`]'s answer, where the routine reports how far it came.

use core::{
    arch::{asm, global_asm},
    num::NonZeroUsize,
};

// Bytes left are counted in rcx throughout. A fault in the eight-byte loop goes on in the one-byte loop, which faults
// again at the very byte, so that the count is exact. Eight bytes at a time, because an emulator (and a KVM without
// hardware help) takes as long for one byte as for eight.
global_asm!(
    r#"
    .pushsection .text.whittle_user, "ax", @progbits
    .balign 16
    .globl whittle_user_copy
whittle_user_copy:
    mov rcx, rdx
    shr rcx, 3
    and edx, 7
    .globl whittle_user_copy_words
whittle_user_copy_words:
    rep movsq
    .globl whittle_user_copy_words_end
whittle_user_copy_words_end:
    lea rcx, [rdx + rcx * 8]
    .globl whittle_user_copy_bytes
whittle_user_copy_bytes:
    rep movsb
    .globl whittle_user_copy_bytes_end
whittle_user_copy_bytes_end:
    mov rax, rcx
    ret

    .balign 16
    .globl whittle_user_zero
whittle_user_zero:
    mov rdx, rsi
    mov rcx, rsi
    shr rcx, 3
    and edx, 7
    xor eax, eax
    .globl whittle_user_zero_words
whittle_user_zero_words:
    rep stosq
    .globl whittle_user_zero_words_end
whittle_user_zero_words_end:
    lea rcx, [rdx + rcx * 8]
    .globl whittle_user_zero_bytes
whittle_user_zero_bytes:
    rep stosb
    .globl whittle_user_zero_bytes_end
whittle_user_zero_bytes_end:
    mov rax, rcx
    ret

    .balign 16
    .globl whittle_user_read_word
whittle_user_read_word:
    xor edx, edx
    .globl whittle_user_read_word_access
whittle_user_read_word_access:
    mov rax, [rdi]
    ret
    .globl whittle_user_read_half
whittle_user_read_half:
    xor edx, edx
    .globl whittle_user_read_half_access
whittle_user_read_half_access:
    mov eax, [rdi]
    ret
    .globl whittle_user_read_failed
whittle_user_read_failed:
    mov edx, 1
    ret

    .balign 16
    .globl whittle_user_write_word
whittle_user_write_word:
    .globl whittle_user_write_word_access
whittle_user_write_word_access:
    mov [rdi], rsi
    xor eax, eax
    ret
    .globl whittle_user_write_half
whittle_user_write_half:
    .globl whittle_user_write_half_access
whittle_user_write_half_access:
    mov [rdi], esi
    xor eax, eax
    ret
    .globl whittle_user_write_failed
whittle_user_write_failed:
    mov eax, 1
    ret

    .balign 16
    .globl whittle_user_exchange
whittle_user_exchange:
    mov eax, esi
    .globl whittle_user_exchange_access
whittle_user_exchange_access:
    lock cmpxchg dword ptr [rdi], edx
    mov eax, eax
    ret
    .globl whittle_user_exchange_failed
whittle_user_exchange_failed:
    mov rax, -1
    ret

    .pushsection .text.whittle_user_short, "ax", @progbits
    .balign 16
    .globl whittle_user_short_copy
whittle_user_short_copy:
    cmp edx, 1
    jne 2f
    mov al, [rsi]
    mov [rdi], al
    mov eax, edx
    ret
2:  cmp edx, 8
    jne 3f
    mov rax, [rsi]
    mov [rdi], rax
    mov eax, edx
    ret
3:  cmp edx, 16
    jne 4f
    mov rax, [rsi]
    mov rcx, [rsi + 8]
    mov [rdi], rax
    mov [rdi + 8], rcx
    mov eax, edx
    ret
4:  mov ecx, edx
    shr ecx, 3
    rep movsq
    mov ecx, edx
    and ecx, 7
    rep movsb
    mov eax, edx
    ret
    .globl whittle_user_short_probe
whittle_user_short_probe:
    lock or byte ptr [rdi], 0
    lock or byte ptr [rsi], 0
    mov eax, 1
    ret
    .globl whittle_user_short_failed
whittle_user_short_failed:
    xor eax, eax
    ret
    .popsection

    // XSAVE does not write all of its header, and XRSTOR insists on zeros there.
    .balign 16
    .globl whittle_vector_xsave
whittle_vector_xsave:
    mov r8, rdi
    add rdi, 512
    xor eax, eax
    mov ecx, 8
    .globl whittle_vector_header
whittle_vector_header:
    rep stosq
    mov rdi, r8
    mov eax, esi
    mov rdx, rsi
    shr rdx, 32
    .globl whittle_vector_xsave_access
whittle_vector_xsave_access:
    xsave64 [rdi]
    xor eax, eax
    ret

    .balign 16
    .globl whittle_vector_xrstor
whittle_vector_xrstor:
    mov eax, esi
    mov rdx, rsi
    shr rdx, 32
    .globl whittle_vector_xrstor_access
whittle_vector_xrstor_access:
    xrstor64 [rdi]
    xor eax, eax
    ret

    .balign 16
    .globl whittle_vector_fxsave
whittle_vector_fxsave:
    .globl whittle_vector_fxsave_access
whittle_vector_fxsave_access:
    fxsave64 [rdi]
    xor eax, eax
    ret

    .balign 16
    .globl whittle_vector_fxrstor
whittle_vector_fxrstor:
    .globl whittle_vector_fxrstor_access
whittle_vector_fxrstor_access:
    fxrstor64 [rdi]
    xor eax, eax
    ret

    .globl whittle_vector_failed
whittle_vector_failed:
    mov eax, 1
    ret
    .popsection
"#
);

macro_rules! pairs {
    ($($fault:ident => $resume:ident,)*) => {
        unsafe extern "C" {
            $(static $fault: u8;)*
        }
        resumes! { $($resume)* }

        /// Where kernel code goes on that faulted at `instruction` while it touched the application's memory; `None`
        /// if it may not fault there. To be asked for page faults and for protection faults: vector state from the
        /// application can hold what the processor refuses.
        #[must_use]
        pub fn find(instruction: usize) -> Option<usize> {
            $(if instruction == &raw const $fault as usize {
                return Some(&raw const $resume as usize);
            })*
            None
        }
    };
}

macro_rules! resumes {
    ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident $($same:ident)*) => {
        unsafe extern "C" {
            static $a: u8;
            static $b: u8;
            static $c: u8;
            static $d: u8;
            static $e: u8;
            static $f: u8;
            static $g: u8;
            static $h: u8;
        }
    };
}

// Those that share a way to go on come last.
pairs! {
    whittle_user_copy_words => whittle_user_copy_words_end,
    whittle_user_copy_bytes => whittle_user_copy_bytes_end,
    whittle_user_zero_words => whittle_user_zero_words_end,
    whittle_user_zero_bytes => whittle_user_zero_bytes_end,
    whittle_user_exchange_access => whittle_user_exchange_failed,
    whittle_user_read_word_access => whittle_user_read_failed,
    whittle_user_write_word_access => whittle_user_write_failed,
    whittle_vector_header => whittle_vector_failed,
    whittle_vector_xsave_access => whittle_vector_failed,
    whittle_vector_xrstor_access => whittle_vector_failed,
    whittle_vector_fxsave_access => whittle_vector_failed,
    whittle_vector_fxrstor_access => whittle_vector_failed,
    whittle_user_read_half_access => whittle_user_read_failed,
    whittle_user_write_half_access => whittle_user_write_failed,
}

/// Where kernel code goes on that faulted at `instruction` in a copy that brings nothing in; `None` if it is in none.
/// To be asked before [`find`].
#[must_use]
#[inline(always)]
pub fn find_short(instruction: usize) -> Option<usize> {
    let failed = &raw const whittle_user_short_failed as usize;
    let is_short = (whittle_user_short_copy as *const () as usize..failed).contains(&instruction);
    (contracts::config().short_ways && is_short).then_some(failed)
}

/// Copies `count` bytes, at most a page, and says how many; `None` if a fault ended it, or if there are none.
///
/// # Safety
/// One of the two places is the application's, and the other one ours.
#[inline(always)]
pub(crate) unsafe fn short_copy(destination: *mut u8, source: *const u8, count: usize) -> Option<NonZeroUsize> {
    let moved: usize;
    // SAFETY: the caller's promise; a fault on the way goes on in the routine.
    unsafe {
        asm!(
            "call {}",
            sym whittle_user_short_copy,
            inout("rdi") destination => _,
            inout("rsi") source => _,
            in("rdx") count,
            lateout("rcx") _,
            lateout("rax") moved,
        );
    }
    NonZeroUsize::new(moved)
}

/// Whether both bytes are there and can be stored to; neither changes.
///
/// # Safety
/// Both are the application's.
#[inline(always)]
pub(crate) unsafe fn short_probe(first: *mut u8, last: *mut u8) -> bool {
    let is_there: u64;
    // SAFETY: the caller's promise; a fault on the way goes on in the routine.
    unsafe {
        asm!("call {}", sym whittle_user_short_probe, in("rdi") first, in("rsi") last, lateout("rax") is_there);
    }
    is_there != 0
}

/// Words are reached by calls that say which registers they change: few, so who reaches one keeps the others.
macro_rules! accesses {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $register:tt),*) -> $($answer:ident: $result:tt),* = $routine:ident;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// The word is the application's.
            #[inline(always)]
            pub(crate) unsafe fn $name($($argument: u64),*) -> [u64; [$($result),*].len()] {
                $(let $answer: u64;)*
                // SAFETY: the caller's promise; a fault on the way goes on in the routine.
                unsafe {
                    asm!("call {}", sym $routine, $(in($register) $argument,)* $(lateout($result) $answer,)*);
                }
                [$($answer),*]
            }
        )*
    };
}

accesses! {
    /// Reads a word of any alignment: the word, and 0, or 1 after a fault: then the word is anything.
    fn read_word(address: "rdi") -> value: "rax", failed: "rdx" = whittle_user_read_word;
    /// Reads half a word in the same way.
    fn read_half(address: "rdi") -> value: "rax", failed: "rdx" = whittle_user_read_half;
    /// Writes a word of any alignment; 0, or 1 after a fault.
    fn write_word(address: "rdi", value: "rsi") -> failed: "rax" = whittle_user_write_word;
    /// Writes half a word.
    fn write_half(address: "rdi", value: "rsi") -> failed: "rax" = whittle_user_write_half;
}

unsafe extern "C" {
    /// Copies `length` bytes; returns how many are left when it met a fault.
    pub(crate) fn whittle_user_copy(destination: *mut u8, source: *const u8, length: usize) -> usize;
    /// Zeroes `length` bytes; returns how many are left when it met a fault.
    pub(crate) fn whittle_user_zero(destination: *mut u8, length: usize) -> usize;
    fn whittle_user_short_copy();
    fn whittle_user_short_probe();
    static whittle_user_short_failed: u8;
    fn whittle_user_read_word();
    fn whittle_user_read_half();
    fn whittle_user_write_word();
    fn whittle_user_write_half();
    /// Writes `new` where `expected` is, at once; returns what was there, or all ones after a fault.
    pub(crate) fn whittle_user_exchange(address: *mut u32, expected: u32, new: u32) -> u64;
    /// XSAVE of the components in `features`, the header zeroed before; 0, or 1 after a fault.
    pub(crate) fn whittle_vector_xsave(area: *mut u8, features: u64) -> u32;
    /// XRSTOR of the components in `features`; 0, or 1 after a fault.
    pub(crate) fn whittle_vector_xrstor(area: *const u8, features: u64) -> u32;
    /// FXSAVE; 0, or 1 after a fault.
    pub(crate) fn whittle_vector_fxsave(area: *mut u8) -> u32;
    /// FXRSTOR; 0, or 1 after a fault.
    pub(crate) fn whittle_vector_fxrstor(area: *const u8) -> u32;
}
