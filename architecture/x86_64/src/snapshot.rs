//! The registers here and now, for the report of a panic.

use core::{arch::asm, mem::offset_of};

use machine::Context;

/// The registers of whoever calls. What the compiler has put into the registers a call may change is shown as it is.
#[inline(always)]
#[must_use]
pub fn snapshot() -> Context {
    let mut context = Context::default();
    // SAFETY: stores of registers into a structure of ours; the flags pass through the stack below its pointer, which
    // the kernel does not use as a red zone across assembly that may push.
    unsafe {
        asm!(
            "mov [rdi + {rax}], rax", "mov [rdi + {rbx}], rbx", "mov [rdi + {rcx}], rcx", "mov [rdi + {rdx}], rdx",
            "mov [rdi + {rsi}], rsi", "mov [rdi + {rdi_}], rdi", "mov [rdi + {rbp}], rbp", "mov [rdi + {rsp}], rsp",
            "mov [rdi + {r8}], r8", "mov [rdi + {r9}], r9", "mov [rdi + {r10}], r10", "mov [rdi + {r11}], r11",
            "mov [rdi + {r12}], r12", "mov [rdi + {r13}], r13", "mov [rdi + {r14}], r14", "mov [rdi + {r15}], r15",
            "lea rax, [rip]", "mov [rdi + {rip}], rax", "pushfq", "pop rax", "mov [rdi + {rflags}], rax",
            rax = const offset_of!(Context, rax), rbx = const offset_of!(Context, rbx),
            rcx = const offset_of!(Context, rcx), rdx = const offset_of!(Context, rdx),
            rsi = const offset_of!(Context, rsi), rdi_ = const offset_of!(Context, rdi),
            rbp = const offset_of!(Context, rbp), rsp = const offset_of!(Context, rsp),
            r8 = const offset_of!(Context, r8), r9 = const offset_of!(Context, r9),
            r10 = const offset_of!(Context, r10), r11 = const offset_of!(Context, r11),
            r12 = const offset_of!(Context, r12), r13 = const offset_of!(Context, r13),
            r14 = const offset_of!(Context, r14), r15 = const offset_of!(Context, r15),
            rip = const offset_of!(Context, rip), rflags = const offset_of!(Context, rflags),
            in("rdi") &raw mut context, out("rax") _,
        );
    }
    context
}
