//! The end of the process, which is the end of the machine.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use machine::{AuditError, ExitReason, Record};

use crate::trace;

/// What the launch record asked for at the end.
pub static AUDIT: AtomicBool = AtomicBool::new(false);
/// Whether figures are wanted.
pub static FIGURES: AtomicBool = AtomicBool::new(false);
/// Cycles at the kernel's first instruction.
pub static ENTRY_CYCLES: AtomicU64 = AtomicU64::new(0);
/// Cycles just before the program's first instruction.
pub static FIRST_CYCLES: AtomicU64 = AtomicU64::new(0);

/// Ends the machine; what was asked for at the end is done first.
pub fn end(reason: ExitReason) -> ! {
    if contracts::shares::flush().is_err() {
        kernel::error!("what the program stored into a mapped file could not be written back");
    }
    if contracts::volumes::flush().is_err() {
        kernel::error!("what the program wrote could not all be brought to its disks");
    }
    if trace::system_calls() {
        trace::ended(reason);
    }
    if FIGURES.load(Ordering::Relaxed) {
        figures();
    }
    let reason = if contracts::config().audit && AUDIT.load(Ordering::Relaxed) && !audit() {
        ExitReason::Failed
    } else {
        reason
    };
    contracts::power::exit(reason)
}

/// No page is left for one that the program touched: it ends as if killed by SIGKILL, as Linux would end it.
pub fn out_of_memory() -> ! {
    let total = contracts::pager::memory_use().total;
    // Whoever ran out of memory may hold the lock.
    let name = crate::process().program.try_lock().map(|program| program.name.clone()).unwrap_or_default();
    kernel::error!("out of memory: {name} needs more than {} MB; give it more with --memory", total >> 20);
    end(ExitReason::Killed(linux_abi::constants::SIGKILL))
}

fn figures() {
    let memory = contracts::pager::memory_use();
    kernel::log::line(
        Record::Figures,
        format_args!(
            "entry={} first={} output={} exit={} memory_free={} memory_total={}",
            ENTRY_CYCLES.load(Ordering::Relaxed),
            FIRST_CYCLES.load(Ordering::Relaxed),
            fs::console::first_output(),
            contracts::processor::cycles(),
            memory.free,
            memory.total
        ),
    );
}

/// Walks the page tables; `false` if a rule of the address space does not hold.
fn audit() -> bool {
    match contracts::pager::audit() {
        Ok(audit) => {
            kernel::log::line(
                Record::Figures,
                format_args!(
                    "audit: pages={} writable={} executable={}",
                    audit.pages, audit.writable, audit.executable
                ),
            );
            return true;
        }
        Err(AuditError::WritableAndExecutable(page)) => {
            kernel::error!("audit: the page at {page:#x} is both writable and executable");
        }
        Err(AuditError::WritableKernelText(page)) => {
            kernel::error!("audit: kernel text is writable at {page:#x}");
        }
        Err(AuditError::MappedAtZero) => kernel::error!("audit: something is mapped at address zero"),
    }
    false
}
