//! The kernel's own death: registers and a backtrace, as records that the command adds names to.

use core::{
    fmt::Write,
    panic::PanicInfo,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use machine::{Context, ExitReason, Record};
use x86_64::{
    report::{BRIEF, OUT_OF_MEMORY, Report, is_out_of_memory},
    snapshot::snapshot,
};

use crate::{
    devices::control,
    host::frame::Frame,
    layout,
    per_cpu::{self, BOOT, Block, rendezvous, smp},
    power, watcher,
};

/// As Linux ends who needs more memory than there is.
const SIGKILL: u8 = 9;

static PANICKING: AtomicBool = AtomicBool::new(false);

/// The image's panic handler.
pub fn panic(information: &PanicInfo) -> ! {
    if !contracts::config().report {
        die_briefly();
    }
    let here = snapshot();
    if is_out_of_memory(information) {
        control::record(Record::Error, OUT_OF_MEMORY.as_bytes());
        power::exit(ExitReason::Killed(SIGKILL));
    }
    let mut report = begin();
    report.panic(information);
    finish(report, per_cpu::current(), &here)
}

/// Dies of a fault of the kernel's own code, or of a system call that the host's filter refused.
pub fn fault(signal: u32, frame: &Frame) -> ! {
    if !contracts::config().report {
        die_briefly();
    }
    let mut report = begin();
    let (vector, error, address) = (frame.vector(), frame.error(), frame.address());
    let block = per_cpu::of(frame).unwrap_or_else(|| BOOT.first());
    let guard = block.kernel_stack().start;
    // Writing to a report does not fail.
    let _ = if (guard..guard + machine::PAGE_SIZE).contains(&address) && vector == 14 {
        writeln!(report, "kernel fault: stack overflow")
    } else if signal == 31 {
        writeln!(report, "host system call {} is not on the list", frame.system_call())
    } else {
        writeln!(report, "kernel fault: vector {vector}, error {error:#x}, address {address:#x}")
    };
    report.address("backtrace:", frame.instruction());
    finish(report, block, &frame.save(None))
}

/// One line, of an image that leaves reports out.
#[cold]
#[inline(never)]
fn die_briefly() -> ! {
    silence();
    control::record(Record::Error, BRIEF.as_bytes());
    power::exit(ExitReason::Failed)
}

/// Sees to it that this is the only report: a panic in the panic ends the process, and other processors stop.
fn silence() {
    rendezvous::claim();
    if PANICKING.swap(true, Relaxed) {
        watcher::end(125);
    }
    rendezvous::silence();
}

fn begin() -> Report {
    silence();
    let mut report = Report::new(|line| control::record(Record::Panic, line));
    if smp::run() {
        // Writing to a report does not fail.
        let _ = writeln!(report, "on processor {} of {}", per_cpu::current().number.load(Relaxed), smp::count());
    }
    report.address("kernel base", layout::image_base());
    report
}

fn finish(mut report: Report, block: &Block, context: &Context) -> ! {
    report.registers(context);
    let stacks = [block.kernel_stack(), block.signal_stack()];
    // The lowest page of the kernel stack is its guard.
    let guard = stacks[0].start..stacks[0].start + machine::PAGE_SIZE;
    let is_stack = |at| stacks.iter().any(|stack| (stack.start..stack.end - 15).contains(&at)) && !guard.contains(&at);
    report.backtrace(context.rbp as usize, &layout::kernel_text(), &is_stack);
    power::exit(ExitReason::Failed)
}
