//! The end of the process, which is the end of the machine.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use machine::{AuditError, ExitReason, Record};

use crate::{text::fill, trace};

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
    contracts::root::flush();
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
    let mut line = [b"out of memory: ", name.as_bytes()].concat();
    fill(&mut line, " needs more than # MB; give it more with --memory", &[(total >> 20) as u64]);
    contracts::console::record(Record::Error, &line);
    end(ExitReason::Killed(linux_abi::constants::SIGKILL))
}

fn figures() {
    let memory = contracts::pager::memory_use();
    let numbers = [
        ENTRY_CYCLES.load(Ordering::Relaxed),
        FIRST_CYCLES.load(Ordering::Relaxed),
        fs::console::first_output(),
        contracts::processor::cycles(),
        memory.free as u64,
        memory.total as u64,
    ];
    let mut line = Vec::new();
    fill(&mut line, "entry=# first=# output=# exit=# memory_free=# memory_total=#", &numbers);
    contracts::console::record(Record::Figures, &line);
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
