//! What a processor does that has just reached the image: it takes a number, the final tables, its stack and its block.

use core::{
    arch::global_asm,
    mem::offset_of,
    sync::atomic::{AtomicU32, AtomicU64, Ordering},
};

use super::joined;
use crate::{
    interrupts,
    layout::PROCESSORS_BASE,
    memory::kernel_root,
    per_cpu::{
        KERNEL_STACK_TOP, PerProcessor,
        area::{AREA_SHIFT, area},
        kernel_stack_top,
    },
    processor::{features, segments},
};

/// What those that arrive are given.
#[repr(C)]
struct Handover {
    /// The next one's number.
    next: AtomicU32,
    /// How many there are to be; who comes later stops.
    count: AtomicU32,
    /// Physical address of the final tables.
    tables: AtomicU64,
}

static HANDOVER: Handover = Handover { next: AtomicU32::new(0), count: AtomicU32::new(0), tables: AtomicU64::new(0) };

global_asm!(
    r#"
    .pushsection .text.whittle_arrive, "ax", @progbits
    .balign 16
    .globl whittle_arrive
whittle_arrive:
    lea rsi, [rip + {HANDOVER}]
    mov eax, 1
    lock xadd [rsi + {NEXT}], eax
    cmp eax, [rsi + {COUNT}]
    jae 2f
    mov rcx, [rsi + {TABLES}]
    mov cr3, rcx
    mov edi, eax
    shl rax, {AREA_SHIFT}
    movabs rcx, {AREAS}
    add rax, rcx
    mov rsp, [rax + {KERNEL_STACK_TOP}]
    add rsp, 8
    xor ebp, ebp
    call {arrived}
    ud2
2:  hlt
    jmp 2b
    .popsection
"#,
    HANDOVER = sym HANDOVER,
    NEXT = const offset_of!(Handover, next),
    COUNT = const offset_of!(Handover, count),
    TABLES = const offset_of!(Handover, tables),
    AREA_SHIFT = const AREA_SHIFT,
    AREAS = const PROCESSORS_BASE,
    KERNEL_STACK_TOP = const KERNEL_STACK_TOP,
    arrived = sym arrived,
);

/// Prepares for processors up to number `count` less one to arrive.
pub fn expect(count: usize) {
    features::hand_over();
    HANDOVER.next.store(1, Ordering::Relaxed);
    HANDOVER.count.store(count as u32, Ordering::Relaxed);
    HANDOVER.tables.store(kernel_root() as u64, Ordering::SeqCst);
}

/// On the final tables and its kernel stack, with the boot code's segments.
extern "C" fn arrived(number: usize) -> ! {
    // SAFETY: the block is this processor's, and lasts.
    unsafe { segments::load_for(number, area(number) as *mut PerProcessor) };
    interrupts::start_here();
    joined();
    interrupts::application_starts();
    contracts::kernel::join(kernel_stack_top())
}
