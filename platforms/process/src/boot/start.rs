//! From the host's first instruction to [`machine::Kernel::main`], by the stages that the image names.

use core::arch::global_asm;

use launch::Launch;
use machine::{Begin, BootInfo};

use super::seccomp::Files;
use crate::{
    bare,
    per_cpu::{BOOT, FIRST_FRAME},
};

// The host's stack pointer is kept in r12, the cycle counter in r13. Then the image relocates itself: the linker has
// packed the places that hold addresses as in `DT_RELR`
// (https://maskray.me/blog/2021-10-31-relative-relocations-and-relr): an even word is a place, an odd one is a bit for
// each of the 63 words that follow. As the image is linked to 0, each place wants the image's address added.
global_asm!(
    r#"
    .pushsection .text.whittle_start, "ax", @progbits
    .globl whittle_start
whittle_start:
    rdtsc
    shl rdx, 32
    lea r13, [rax + rdx]
    mov r12, rsp
    xor ebp, ebp
    lea rsi, [rip + __relr_start]
    lea rdi, [rip + __relr_end]
    lea rbx, [rip + __image_start]
2:  cmp rsi, rdi
    jae 6f
    mov rax, [rsi]
    add rsi, 8
    test al, 1
    jnz 3f
    lea rcx, [rbx + rax]
    add [rcx], rbx
    add rcx, 8
    jmp 2b
3:  mov rdx, rcx
4:  shr rax, 1
    jz 5f
    test al, 1
    jz 7f
    add [rdx], rbx
7:  add rdx, 8
    jmp 4b
5:  add rcx, 63 * 8
    jmp 2b
6:  lea rsp, [rip + {boot} + {first_frame}]
    mov rdi, r12
    mov rsi, r13
    call {start}
    ud2
    .popsection
"#,
    boot = sym BOOT,
    first_frame = const FIRST_FRAME,
    start = sym start,
);

/// `stack` is as the host left it, `entry_cycles` was taken at the first instruction.
extern "sysv64" fn start(stack: usize, entry_cycles: u64) -> ! {
    contracts::boot::start(stack, entry_cycles)
}

/// What the stages leave for each other, and for the kernel.
#[derive(Debug)]
pub struct Start {
    pub(crate) stack: usize,
    pub(crate) vdso: usize,
    pub(crate) boot_info: BootInfo,
    /// What the kernel uses of the host's files.
    pub(crate) files: Files,
}

/// Provider of the contract `boot`: a tuple of stages.
pub type Boot<Stages> = contracts::boot::Staged<Start, Stages>;

impl Begin for Start {
    fn begin(handover: usize, cycles: u64) -> Self {
        bare::remember(handover);
        let nothing = BootInfo { archive: &[], launch: &Launch::EMPTY, command_line: "", entry_cycles: cycles };
        Self { stack: handover, vdso: 0, boot_info: nothing, files: Files::default() }
    }

    fn boot_info(self) -> BootInfo {
        self.boot_info
    }
}
