//! The kernel's death: what happened, registers, and the way there, for the command to put names to.

use core::{
    arch::asm,
    fmt::Write,
    panic::PanicInfo,
    sync::atomic::{AtomicUsize, Ordering},
};

use machine::{Context, ExitReason, Record};
use x86_64::{
    instructions::time_stamp,
    report::{BRIEF, OUT_OF_MEMORY, Report, is_out_of_memory},
    snapshot::snapshot,
};

use crate::{
    apic::local::Command,
    layout, memory,
    per_cpu::{self, area::online, features, smp, stacks},
    power,
};

/// As Linux ends who needs more memory than there is.
const SIGKILL: u8 = 9;

/// Set when the kernel has begun to die, to one more than the number of the processor on which it does.
static DYING: AtomicUsize = AtomicUsize::new(0);

/// The image's panic handler: `#[panic_handler] fn panic(info: &PanicInfo) -> ! { pc::panic(info) }`.
pub fn panic(info: &PanicInfo<'_>) -> ! {
    if !contracts::config().report {
        die_briefly();
    }
    let here = snapshot();
    let mut report = begin();
    if is_out_of_memory(info) {
        virtio_devices::last_words(Record::Error, OUT_OF_MEMORY.as_bytes());
        virtio_devices::panic_exit(ExitReason::Killed(SIGKILL));
        power::stop();
    }
    report.panic(info);
    finish(report, &here)
}

/// Dies of a fault, which interrupted `context`.
pub fn with_context(what: &str, context: &Context, vector: u64, address: usize) -> ! {
    if !contracts::config().report {
        die_briefly();
    }
    let mut report = begin();
    // Writing to a report does not fail.
    let _ = writeln!(report, "{what}: vector {vector}, error {:#x}, address {address:#x}", context.entry);
    report.address("backtrace:", context.rip as usize);
    finish(report, context)
}

/// Dies of a fault on whatever stack, by changing to the last one first.
pub fn on_last_stack(context: &Context, vector: u64, address: usize) -> ! {
    extern "C" fn die_here(context: &Context, vector: u64, address: usize) -> ! {
        with_context("the kernel faulted and cannot go on", context, vector, address)
    }
    // SAFETY: nobody else uses that stack, and the context stays where it is: on an interrupt stack, which no other
    // vector enters any more that could follow this one.
    unsafe {
        asm!("mov rsp, {}", "xor ebp, ebp", "call {}", "ud2",
             in(reg) stacks::last_stack_top(per_cpu::number()), sym die_here,
             in("rdi") context, in("rsi") vector, in("rdx") address, options(noreturn));
    }
}

/// One line, of an image that leaves reports out.
#[cold]
#[inline(never)]
fn die_briefly() -> ! {
    begin();
    virtio_devices::last_words(Record::Error, BRIEF.as_bytes());
    virtio_devices::panic_exit(ExitReason::Failed);
    power::stop();
}

/// The report, when it is the first one: a panic in the panic ends the machine, and other processors stop.
fn begin() -> Report {
    per_cpu::claim_segment_base();
    let here = per_cpu::number() + 1;
    match DYING.compare_exchange(0, here, Ordering::SeqCst, Ordering::SeqCst) {
        Ok(_) => stop_others(),
        Err(dying) if dying == here => power::stop(),
        Err(_) => smp::stop_here(),
    }
    Report::new(|line| virtio_devices::last_words(Record::Panic, line))
}

/// Has all other processors stop, wherever they are, but where they hold no lock if they come there soon.
fn stop_others() {
    /// Time stamps to wait before the interrupt that nobody can refuse: some milliseconds.
    const PATIENCE: u64 = 20_000_000;
    if online() == 0 {
        return;
    }
    smp::stop_others();
    let begin = time_stamp();
    while smp::left() != 0 && time_stamp().wrapping_sub(begin) < PATIENCE {
        memory::serve();
        core::hint::spin_loop();
    }
    smp::send(smp::left(), Command::NotMaskable);
}

fn finish(mut report: Report, context: &Context) -> ! {
    report.registers(context);
    report.address("fs base", features::thread_pointer());
    let is_stack = |address| {
        let here = stacks::all().chain(stacks::of_interrupts(per_cpu::number()));
        here.chain(memory::kernel_stack(address)).any(|(start, size)| (start..=start + size - 16).contains(&address))
    };
    report.backtrace(context.rbp as usize, &(layout::text_start()..layout::text_end()), &is_stack);
    virtio_devices::panic_exit(ExitReason::Failed);
    power::stop()
}
