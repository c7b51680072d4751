//! The end of a process, and the end of the machine, which is that of its first process.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use kernel::task::{self, Waited};
use machine::{AuditError, ExitReason, Record};

use crate::objects::{
    ability, calls_report,
    children::{self, Relief},
    files,
    process::{apart, kin::FAMILIES, table},
    sites,
    text::fill,
    threads, trace, tree,
};

/// What the launch record asked for at the end.
pub static AUDIT: AtomicBool = AtomicBool::new(false);
/// Whether figures are wanted.
pub static FIGURES: AtomicBool = AtomicBool::new(false);
/// Whether it is to be said what became of system calls.
pub static CALLS: AtomicBool = AtomicBool::new(false);
/// Whether the command is to be told which sites of system calls this run has proven.
pub static SITES: AtomicBool = AtomicBool::new(false);
/// Cycles at the kernel's first instruction.
pub static ENTRY_CYCLES: AtomicU64 = AtomicU64::new(0);
/// Cycles just before the program's first instruction.
pub static FIRST_CYCLES: AtomicU64 = AtomicU64::new(0);

/// How many files were different in memory when the program began, if it is to be told how many are in the end.
static CHANGED: AtomicU64 = AtomicU64::new(NOBODY_ASKS);
const NOBODY_ASKS: u64 = u64::MAX;

/// Has the person told in the end what the program changed from now on, and nobody keeps.
pub fn tell_changes() {
    CHANGED.store(tree::changed().unwrap_or(NOBODY_ASKS), Ordering::Relaxed);
}

/// Ends the running process.
pub fn process(reason: ExitReason) -> ! {
    let ends = crate::process();
    if ability::processes() && ends.id != table::FIRST {
        children::note(reason);
        threads::end_all();
    }
    if ability::processes() {
        leave_others();
    }
    // Where there is no network, none of this is in the image.
    if contracts::sockets::exist() {
        kernel::parting::part(&mut Last);
    }
    machine(reason)
}

/// Processes that live beside the first.
fn others() -> usize {
    table::all().filter(|&id| id != table::FIRST && !FAMILIES.lock().has_ended(id)).count()
}

/// The first process ends the machine. Helpers that live for it (of python's multiprocessing, of shells) end by
/// themselves when what they read ends: they get a moment for it. People who began a server that goes on in the
/// background are told why it does not.
fn leave_others() {
    /// How long others may take, and how often it is looked whether they have, in nanoseconds.
    const MOMENT: u64 = 100_000_000;
    const STEP: u64 = 2_000_000;
    if others() == 0 {
        return;
    }
    let now = contracts::clock::monotonic;
    threads::end_others(now() + SPAN);
    apart::leave_files().into_iter().for_each(files::locking::close_all);
    let until = now() + MOMENT;
    while others() != 0 && now() < until {
        task::sleep_once(now() + STEP);
    }
    let mut line = Vec::new();
    match others() {
        0 => return,
        1 => fill(&mut line, "another process ends with the first one", &[]),
        others => fill(&mut line, "# other processes end with the first one", &[others as u64]),
    }
    contracts::console::record(Record::Notice, &line);
}

/// How long other threads of the first process may take to end, in nanoseconds.
const SPAN: u64 = 3_000_000_000;

/// How a program's connections are waited for. A signal that would end the program ends this.
struct Last;

impl kernel::parting::Ending for Last {
    fn stop_others(&mut self) {
        threads::end_others(contracts::clock::monotonic() + SPAN);
    }

    fn wait(&mut self, until: u64) -> bool {
        task::sleep_until(Some(until), &mut || false) != Waited::Interrupted
    }
}

/// Ends the machine; what was asked for at the end is done first.
pub fn machine(reason: ExitReason) -> ! {
    contracts::root::flush();
    if trace::system_calls() {
        trace::ended(reason);
    }
    if ability::files() {
        changes();
    }
    if FIGURES.load(Ordering::Relaxed) {
        figures();
    }
    if contracts::config().rewrite {
        system_calls();
    }
    let reason = if contracts::config().audit && AUDIT.load(Ordering::Relaxed) && !audit() {
        ExitReason::Failed
    } else {
        reason
    };
    contracts::power::exit(reason)
}

/// Says what became of the program's system calls. Before one has begun there is no space to look into.
fn system_calls() {
    if FIRST_CYCLES.load(Ordering::Relaxed) == 0 {
        return;
    }
    if CALLS.load(Ordering::Relaxed) {
        calls_report::report();
    }
    if kernel::memory::looks_at_system_calls() {
        for site in kernel::memory::unmet_exceptions() {
            kernel::notice!("--except {site}: no system call came from there");
        }
    }
    if SITES.load(Ordering::Relaxed) {
        sites::keep();
    }
}

fn changes() {
    let before = CHANGED.load(Ordering::Relaxed);
    if before == NOBODY_ASKS {
        return;
    }
    let count = tree::changed().unwrap_or(before).saturating_sub(before);
    let mut line = Vec::new();
    match count {
        0 => return,
        1 => fill(&mut line, "1 file changed in memory; -v keeps it", &[]),
        _ => fill(&mut line, "# files changed in memory; -v keeps them", &[count]),
    }
    contracts::console::record(Record::Notice, &line);
}

/// No page is left for one that a program touched. Of several processes one ends; the last one ends as if killed by
/// SIGKILL, as Linux would end it. See [`machine::Application::out_of_memory`] for the answer.
pub fn out_of_memory() -> bool {
    match children::relieve() {
        Relief::Again => true,
        Relief::Fail => false,
        Relief::Nobody => end_without_memory(),
    }
}

fn end_without_memory() -> ! {
    let total = contracts::memory_report::memory_use().total;
    // Whoever ran out of memory may hold the lock.
    let name = crate::process().program.try_lock().map(|program| program.name.clone()).unwrap_or_default();
    let mut line = [b"out of memory: ", name.as_bytes()].concat();
    fill(&mut line, " needs more than # MB; give it more with --memory", &[(total >> 20) as u64]);
    contracts::console::record(Record::Error, &line);
    // To count what has changed takes memory.
    CHANGED.store(NOBODY_ASKS, Ordering::Relaxed);
    // So does waiting for what was sent.
    machine(ExitReason::Killed(linux_abi::constants::SIGKILL))
}

fn figures() {
    let memory = contracts::memory_report::memory_use();
    let numbers = [
        ENTRY_CYCLES.load(Ordering::Relaxed),
        FIRST_CYCLES.load(Ordering::Relaxed),
        fs::console::first_output(),
        instruction_set::instructions::time_stamp(),
        memory.free as u64,
        memory.total as u64,
    ];
    let mut line = Vec::new();
    fill(&mut line, "entry=# first=# output=# exit=# memory_free=# memory_total=#", &numbers);
    contracts::console::record(Record::Figures, &line);
}

/// Walks the page tables; `false` if a rule of the address space does not hold.
fn audit() -> bool {
    match contracts::memory_report::audit() {
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
