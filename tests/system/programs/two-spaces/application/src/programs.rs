//! What the threads run: instructions that need no stack, wherever they lie.
//!
//! Registers at the start: RDI the number that the thread writes, RSI how many rounds, RDX its data.

use core::{arch::global_asm, slice};

/// Pages of data that a thread uses.
pub const PAGES: usize = 64;

/// System calls: the thread has ended, lets others run, or tells its words.
pub const DONE: usize = 0;
pub const YIELD: usize = 1;

global_asm!(
    r#"
    .pushsection .rodata.two_spaces, "a", @progbits
    .balign 16
two_spaces_programs:
    # writes: each round counts, and writes its number to the next page, where nothing or the same number is
    mov qword ptr [rdx], rdi
2:  inc qword ptr [rdx + 8]
    cmp qword ptr [rdx], rdi
    jne 9f
    mov r8, qword ptr [rdx + 8]
    and r8, {LAST}
    shl r8, 12
    add r8, rdx
    mov r9, qword ptr [r8 + 16]
    test r9, r9
    jz 3f
    cmp r9, rdi
    jne 9f
3:  mov qword ptr [r8 + 16], rdi
    mov eax, {YIELD}
    syscall
    dec rsi
    jnz 2b
    mov eax, {DONE}
    syscall
    ud2
    .balign 16
two_spaces_looks:
    # looks: each page has its number
    mov r8, rdx
    mov rsi, {PAGES}
2:  cmp qword ptr [r8 + 16], rdi
    jne 9f
    add r8, 4096
    mov eax, {YIELD}
    syscall
    dec rsi
    jnz 2b
    mov eax, {DONE}
    syscall
9:  ud2
two_spaces_end:
    .popsection
"#,
    LAST = const PAGES - 1,
    PAGES = const PAGES,
    YIELD = const YIELD,
    DONE = const DONE,
);

unsafe extern "C" {
    safe static two_spaces_programs: u8;
    safe static two_spaces_looks: u8;
    safe static two_spaces_end: u8;
}

/// All instructions.
pub fn code() -> &'static [u8] {
    let start = &raw const two_spaces_programs;
    // SAFETY: constants between two labels.
    unsafe { slice::from_raw_parts(start, &raw const two_spaces_end as usize - start as usize) }
}

/// A program.
#[derive(Clone, Copy)]
pub enum Program {
    /// Writes its number, and sees that nobody else's is there.
    Writes,
    /// Sees that all pages have its number.
    Looks,
}

impl Program {
    /// Where it begins in [`code`].
    pub fn offset(self) -> usize {
        match self {
            Self::Writes => 0,
            Self::Looks => &raw const two_spaces_looks as usize - &raw const two_spaces_programs as usize,
        }
    }
}
