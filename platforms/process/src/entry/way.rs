//! The way into the kernel and the way out.
//!
//! Signal handlers put the program's registers at the top of the kernel stack and return to one of the `enter` labels
//! below with the stack pointer there. What has been rewritten comes to `whittle_call` without a signal, which does the
//! same itself. Vector registers are the program's throughout.
//!
//! On the way out the last question is whether work is pending. A signal may come between that question and the jump
//! to the program; its handler finds that the interrupted instruction [`is_leaving`], and goes back to the question.
//! That is harmless at each instruction of the window, because the window only reads the saved registers.
//!
//! Nothing is ever written to the program's stack: it may keep data below its stack pointer (the red zone).

use core::{
    arch::{asm, global_asm},
    mem::offset_of,
    sync::atomic::Ordering::Relaxed,
};

use architecture::{
    PageFault as _,
    x86_64::{
        PageFaultCode,
        exception::{PAGE, kind},
    },
};
use machine::{Access, Context, Handler, Handlers, Trap};
use x86_64::cpuid_cache;

use super::is_resolvable;
use crate::{
    host::frame,
    per_cpu::{self, Block, SIGN},
};

global_asm!(
    r#"
    .pushsection .text.whittle_entry, "ax", @progbits
    .balign 16
    .globl whittle_enter_system_call
whittle_enter_system_call:
    xor ebp, ebp
    mov rdi, rsp
    call {trapped}
5:  mov rdi, [rsp + {rdi}]
    mov rsi, [rsp + {rsi}]
    mov rdx, [rsp + {rdx}]
    mov rcx, [rsp + {r10}]
    mov r8, [rsp + {r8}]
    mov r9, [rsp + {r9}]
    mov rax, [rsp + {entry}]
    cmp rax, [rip + {handlers}]
    jae 2f
    mov r11, [rip + {handlers} + 8]
    call [r11 + rax * 8]
    mov [rsp + {rax}], rax
    jmp whittle_exit
    # Numbers without a handler of their own go by the kernel. Twice: the stack stays aligned.
2:  push rax
    push rax
    call {system_call}
    add rsp, 16
    mov [rsp + {rax}], rax
    jmp whittle_exit

    # From a stub of a program's: see `machine::Processor::call_entries`. The program goes on at r11; nothing has changed
    # but this and rcx. Until the stack is ours a signal finds the kernel, and has work marked as pending.
    # For `cpuid` it goes on at rbx, and r11 has not changed.
    .macro whittle_save name, back
    .balign 16
    .globl \name
\name:
    # The program may have changed GS base by itself: then this faults, or finds something else.
    mov rcx, gs:[{sign}]
    # Neither changes flags, which are the program's.
    lea rcx, [rcx - {sign_value}]
    jrcxz 3f
    .globl \name\()_lost
\name\()_lost:
    ud2
3:  mov rcx, gs:[{context}]
    mov [rcx + {rsp}], rsp
    lea rsp, [rcx + {rflags} + 8]
    pushfq
    .globl \name\()_flags
\name\()_flags:
    mov [rcx + {rip}], \back
    .ifc \back, r11
    mov [rcx + {rcx}], r11
    mov r11, [rsp]
    mov [rcx + {r11}], r11
    .else
    mov [rcx + {r11}], r11
    mov r11, [rsp]
    .endif
    mov rsp, rcx
    mov [rsp + {entry}], rax
    mov [rsp + {rax}], rax
    mov [rsp + {rdi}], rdi
    mov [rsp + {rsi}], rsi
    mov [rsp + {rdx}], rdx
    mov [rsp + {r10}], r10
    mov [rsp + {r8}], r8
    mov [rsp + {r9}], r9
    mov [rsp + {rbx}], rbx
    mov [rsp + {rbp}], rbp
    mov [rsp + {r12}], r12
    mov [rsp + {r13}], r13
    mov [rsp + {r14}], r14
    mov [rsp + {r15}], r15
    # Trap, direction, nested task and alignment check are not for the kernel's code.
    test r11d, 0x44500
    jz 4f
    push {clean_flags}
    popfq
4:
    .endm

    # What a function may change.
    .macro whittle_restore
    mov r11, [rsp + {r11}]
    mov r10, [rsp + {r10}]
    mov r9, [rsp + {r9}]
    mov r8, [rsp + {r8}]
    mov rax, [rsp + {rax}]
    mov rcx, [rsp + {rcx}]
    mov rdx, [rsp + {rdx}]
    mov rsi, [rsp + {rsi}]
    mov rdi, [rsp + {rdi}]
    .endm

    whittle_save whittle_call, r11
    xor ebp, ebp
    mov rcx, r10
    cmp rax, [rip + {handlers}]
    jae 6f
    mov r11, [rip + {handlers} + 8]
    call [r11 + rax * 8]
7:  mov [rsp + {rax}], rax

    # A call changes no register but those that a function may, unless work is pending, and rbp, which ends backtraces: the
    # others are not restored.
    .globl whittle_exit_from_call
whittle_exit_from_call:
    cmp byte ptr gs:[{pending}], 0
    jne whittle_enter_interrupted
    mov rax, [rsp + {rflags}]
    test eax, {long_flags}
    jnz 8f
    # popfq takes longer than all the rest. An addition brings overflow about where it was.
    mov ecx, eax
    mov rdx, [rsp + {rip}]
    mov gs:[{exit_address}], rdx
    shl eax, 8
    shr ecx, 11
    mov al, cl
    and al, 1
    add al, 0x7f
    sahf
    mov rbp, [rsp + {rbp}]
    whittle_restore
    mov rsp, [rsp + {rsp}]
    jmp qword ptr gs:[{exit_address}]
    .globl whittle_exit_from_call_end
whittle_exit_from_call_end:

8:  jmp whittle_exit

6:  push rax
    push rax
    call {system_call}
    add rsp, 16
    jmp 7b

    whittle_save whittle_counted_call, r11
    xor ebp, ebp
    mov rdi, rsp
    call {called}
    jmp 5b

    whittle_save whittle_cpuid, rbx
    xor ebp, ebp
    mov rdi, rsp
    call {cpuid}
    jmp whittle_exit
    .globl whittle_call_end
whittle_call_end:

    .globl whittle_enter_trap
whittle_enter_trap:
    xor ebp, ebp
    mov rdi, rsp
    call {trap}
    jmp whittle_exit

    .globl whittle_enter_interrupted
whittle_enter_interrupted:
    # An exchange: see `Block::take_pending`.
    xor eax, eax
    xchg gs:[{pending}], al
    xor ebp, ebp
    mov rdi, rsp
    call {interrupted}

    .globl whittle_exit
whittle_exit:
    cmp byte ptr gs:[{pending}], 0
    jne whittle_enter_interrupted
    mov rcx, [rsp + {rip}]
    mov gs:[{exit_address}], rcx
    mov r15, [rsp + {r15}]
    mov r14, [rsp + {r14}]
    mov r13, [rsp + {r13}]
    mov r12, [rsp + {r12}]
    mov rbp, [rsp + {rbp}]
    mov rbx, [rsp + {rbx}]
    whittle_restore
    lea rsp, [rsp + {rflags}]
    popfq
    pop rsp
    jmp qword ptr gs:[{exit_address}]
    .globl whittle_exit_end
whittle_exit_end:
    .popsection
"#,
    handlers = sym HANDLERS,
    // Trap, direction, nested task, alignment check, identification: what sahf and an addition do not bring.
    long_flags = const 0x24_4500 | REPLACED,
    system_call = sym system_call,
    trapped = sym trapped,
    called = sym called,
    cpuid = sym cpuid,
    sign = const offset_of!(Block, sign),
    sign_value = const SIGN,
    context = const offset_of!(Block, context),
    clean_flags = const frame::CLEAN_FLAGS,
    trap = sym trap,
    interrupted = sym interrupted,
    pending = const offset_of!(Block, pending),
    exit_address = const offset_of!(Block, exit_address),
    r15 = const offset_of!(Context, r15),
    r14 = const offset_of!(Context, r14),
    r13 = const offset_of!(Context, r13),
    r12 = const offset_of!(Context, r12),
    rbp = const offset_of!(Context, rbp),
    rbx = const offset_of!(Context, rbx),
    r11 = const offset_of!(Context, r11),
    r10 = const offset_of!(Context, r10),
    r9 = const offset_of!(Context, r9),
    r8 = const offset_of!(Context, r8),
    rax = const offset_of!(Context, rax),
    rcx = const offset_of!(Context, rcx),
    rdx = const offset_of!(Context, rdx),
    rsi = const offset_of!(Context, rsi),
    rdi = const offset_of!(Context, rdi),
    entry = const offset_of!(Context, entry),
    rip = const offset_of!(Context, rip),
    rflags = const offset_of!(Context, rflags),
    rsp = const offset_of!(Context, rsp),
);

// The exit takes the stack pointer from behind the flags.
const _: () = assert!(offset_of!(Context, rsp) == offset_of!(Context, rflags) + 8);

unsafe extern "C" {
    static whittle_enter_system_call: u8;
    static whittle_call: u8;
    static whittle_call_lost: u8;
    static whittle_call_flags: u8;
    static whittle_counted_call: u8;
    static whittle_counted_call_lost: u8;
    static whittle_counted_call_flags: u8;
    static whittle_cpuid: u8;
    static whittle_cpuid_lost: u8;
    static whittle_cpuid_flags: u8;
    static whittle_call_end: u8;
    static whittle_enter_trap: u8;
    static whittle_enter_interrupted: u8;
    static whittle_exit_from_call: u8;
    static whittle_exit_from_call_end: u8;
    static whittle_exit: u8;
    static whittle_exit_end: u8;
}

/// In the flags of a context that is another than the call came with: all of it is to be restored. No program has this
/// flag (VIF, of virtual-8086 mode), and POPFQ leaves it alone.
pub const REPLACED: u64 = 1 << 19;

/// Where a handler sends a program's thread.
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    /// It made a system call.
    SystemCall,
    /// It faulted; [`Block::fault`] says how.
    Trap,
    /// Work came up.
    Interrupted,
    /// It was leaving: look for pending work again.
    Exit,
}

impl Entry {
    /// The instruction to go on at, with the stack pointer at the saved registers.
    pub fn address(self) -> usize {
        match self {
            Self::SystemCall => &raw const whittle_enter_system_call as usize,
            Self::Trap => &raw const whittle_enter_trap as usize,
            Self::Interrupted => &raw const whittle_enter_interrupted as usize,
            Self::Exit => &raw const whittle_exit as usize,
        }
    }
}

/// Whether it is one of those from the question whether work is pending to the jump to the program.
pub fn is_leaving(instruction: usize) -> bool {
    let exit = &raw const whittle_exit as usize..&raw const whittle_exit_end as usize;
    let from_call = &raw const whittle_exit_from_call as usize..&raw const whittle_exit_from_call_end as usize;
    exit.contains(&instruction) || from_call.contains(&instruction)
}

/// What answers system calls without asking the kernel first.
static HANDLERS: Handlers = Handlers::new();

/// See [`machine::Processor::answer_by`].
pub fn answer_by(handlers: &'static [Handler]) {
    HANDLERS.set(handlers);
}

/// Where stubs of a program's enter.
pub fn call(counted: bool) -> usize {
    if counted { &raw const whittle_counted_call as usize } else { &raw const whittle_call as usize }
}

/// Where stubs for `cpuid` enter.
pub fn cpuid_entry() -> usize {
    &raw const whittle_cpuid as usize
}

/// Each of these entries: where it begins, where it finds that GS base is not ours, and where the program's flags are
/// saved.
fn entries() -> [[usize; 3]; 3] {
    [
        [call(false), &raw const whittle_call_lost as usize, &raw const whittle_call_flags as usize],
        [call(true), &raw const whittle_counted_call_lost as usize, &raw const whittle_counted_call_flags as usize],
        [cpuid_entry(), &raw const whittle_cpuid_lost as usize, &raw const whittle_cpuid_flags as usize],
    ]
}

/// If an instruction that faulted is one of those by which [`call`] finds out that GS base is not ours: where it begins
/// again.
pub fn with_lost_base(instruction: usize) -> Option<usize> {
    let found = entries().into_iter().find(|[begin, lost, _]| [begin, lost].contains(&&instruction));
    found.map(|[begin, ..]| begin)
}

/// From where the registers are the program's to where the kernel's own code begins.
pub fn is_call(instruction: usize) -> bool {
    (call(false)..&raw const whittle_call_end as usize).contains(&instruction)
}

/// Whether the program's flags are still to be saved there.
pub fn has_program_flags(instruction: usize) -> bool {
    entries().iter().any(|&[begin, _, end]| (begin..end).contains(&instruction))
}

/// Leaves the kernel; the registers at the top of the kernel stack are the program's.
pub fn leave() -> ! {
    let context = per_cpu::current().context.load(Relaxed);
    // SAFETY: the frames given up hold nothing that is used again: the caller never returns.
    unsafe { asm!("mov rsp, {}", "jmp whittle_exit", in(reg) context, options(noreturn)) }
}

/// The registers of a system call's arguments are those of a function's, but for one; the number comes behind them.
extern "sysv64" fn system_call(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, number: usize) -> isize {
    contracts::kernel::system_call(a, b, c, d, e, f, number)
}

extern "sysv64" fn trapped(context: &mut Context) {
    contracts::kernel::trapped(context);
}

extern "sysv64" fn called(context: &mut Context) {
    contracts::kernel::called(context);
}

/// Answers a `cpuid`, which clears the upper halves of the registers that it changes.
extern "sysv64" fn cpuid(context: &mut Context) {
    let answer = cpuid_cache::cpuid(context.rax as u32, context.rdx as u32);
    context.entry = Context::NO_SYSTEM_CALL;
    context.rax = answer.eax.into();
    context.rbx = answer.ebx.into();
    context.rcx = answer.ecx.into();
    context.rdx = answer.edx.into();
}

extern "sysv64" fn interrupted(context: &mut Context) {
    context.rflags &= !REPLACED;
    contracts::kernel::interrupted(context);
}

extern "sysv64" fn trap(context: &mut Context) {
    let fault = &per_cpu::current().fault;
    let vector = fault.vector.load(Relaxed) as u8;
    let error = fault.error.load(Relaxed);
    let page = (vector == PAGE).then(|| PageFaultCode::new(error));
    let address = if page.is_some() { fault.address.load(Relaxed) } else { 0 };
    let access = page.map_or(Access::Read, |page| page.access());
    let resolvable = page.is_some_and(|page| is_resolvable(page, fault.signal.load(Relaxed)))
        && !access.changes_own_page(address, context.rip as usize);
    if resolvable && contracts::kernel::resolve_fault(address, access) {
        return;
    }
    contracts::kernel::trap(context, Trap { kind: kind(vector), vector, error, address, access });
}
