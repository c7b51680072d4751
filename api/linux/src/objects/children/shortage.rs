//! Memory has run out: which process ends.
//!
//! As Linux chooses (`oom_badness`): who has most in memory, with `oom_score_adj` thousandths of all memory added; with
//! -1000 never. Nor does the first process end, whose end is the machine's, as long as there is another one. One ends
//! at a time: who finds no memory waits until it has come free.

use alloc::{sync::Arc, vec::Vec};
use core::sync::atomic::Ordering::Relaxed;

use kernel::{
    memory::reserve,
    task::{self, Thread},
};
use linux_abi::{
    constants::{SI_KERNEL, SIGKILL},
    structures::SignalInformation,
};
use machine::{PAGE_SIZE, Record};
use sync::Mutex;

use crate::{
    Process,
    objects::{
        ability,
        process::{kin::FAMILIES, table},
        signals,
        text::fill,
    },
    process,
};

/// Least and greatest adjustment; the least has it never be chosen.
pub const ADJUSTMENTS: core::ops::RangeInclusive<i32> = -1000..=1000;

/// What is left to do for one who finds no memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relief {
    /// Try again: some may have come free.
    Again,
    /// The running process ends, or nobody may wait here.
    Fail,
    /// There is nobody but the first process.
    Nobody,
}

/// A process that was told to end.
struct Ending {
    process: u32,
    /// How often somebody has waited for what it has.
    waits: u32,
}

static ENDING: Mutex<Option<Ending>> = Mutex::new(None);

/// Waits, of a millisecond each, until another one is chosen; and how many of them there are once it has ended.
const MOST_WAITS: u32 = 2000;
const LAST_WAITS: u32 = 10;
const WAIT: u64 = 1_000_000;

/// No memory is left for a page that the running process touched, or the kernel for it.
pub fn relieve() -> Relief {
    if !ability::processes() {
        return Relief::Nobody;
    }
    let spent = reserve::spend();
    let ending = match ending() {
        Some(number) => number,
        None => match choose() {
            Some(victim) => end(&victim),
            None => return Relief::Nobody,
        },
    };
    if ending == process().id {
        return Relief::Fail;
    }
    if sync::may_sleep() {
        task::sleep_once(contracts::clock::monotonic() + WAIT);
        return Relief::Again;
    }
    if spent { Relief::Again } else { Relief::Fail }
}

/// The process that was told to end, if what it had may still come free.
fn ending() -> Option<u32> {
    let mut ending = ENDING.lock();
    let found = ending.as_mut()?;
    let has_ended = table::find(found.process).is_none() || FAMILIES.lock().has_ended(found.process);
    found.waits = if has_ended { found.waits.max(MOST_WAITS - LAST_WAITS) } else { found.waits } + 1;
    let number = found.process;
    if found.waits > MOST_WAITS {
        *ending = None;
        return None;
    }
    Some(number)
}

/// All but the first that have not ended.
fn others() -> impl Iterator<Item = Arc<Process>> {
    let lives = |id: &u32| *id != table::FIRST && !FAMILIES.lock().has_ended(*id);
    table::all().filter(lives).filter_map(table::find)
}

fn choose() -> Option<Arc<Process>> {
    let eligible = |process: &Arc<Process>| process.kin().adjustment.load(Relaxed) > *ADJUSTMENTS.start();
    others().filter(eligible).max_by_key(|process| badness(process))
}

/// Pages that its end would give back, and what its adjustment adds.
fn badness(process: &Process) -> i64 {
    let total = contracts::memory_report::memory_use().total / PAGE_SIZE;
    let adjustment = i64::from(process.kin().adjustment.load(Relaxed)) * (total as i64 / 1000);
    (resident(process) / PAGE_SIZE) as i64 + adjustment
}

/// Bytes that a process has in memory.
fn resident(process: &Process) -> usize {
    let thread = process.threads.lock().iter().next().cloned();
    thread.map_or(0, |thread| task::space_of(&thread).resident())
}

/// What `oom_score` says: thousandths of all memory, from 0 to 2000, as Linux counts since 5.15.
pub fn score(process: &Process) -> i64 {
    let total = (contracts::memory_report::memory_use().total / PAGE_SIZE) as i64;
    ((1000 + badness(process) * 1000 / total.max(1)) * 2 / 3).clamp(0, 2000)
}

/// Tells `victim` to end, and all that share its memory.
fn end(victim: &Arc<Process>) -> u32 {
    let mut line = Vec::new();
    let name = victim.program.lock().name.clone();
    fill(&mut line, "out of memory: process # (", &[victim.id.into()]);
    line.extend_from_slice(name.as_bytes());
    let megabytes = (resident(victim) >> 20) as u64;
    fill(&mut line, ") ends, which has # MB; give the machine more with --memory", &[megabytes]);
    contracts::console::record(Record::Error, &line);
    *ENDING.lock() = Some(Ending { process: victim.id, waits: 0 });
    let space = victim.threads.lock().iter().next().map(|thread| task::space_of(thread));
    for other in others() {
        let shares =
            |thread: &Arc<Thread>| space.as_ref().is_some_and(|space| Arc::ptr_eq(space, &task::space_of(thread)));
        let is_meant = other.id == victim.id || other.threads.lock().iter().any(shares);
        if is_meant {
            let _ = signals::send_to_process(&other, SignalInformation::sent(SIGKILL, SI_KERNEL, 0, 0, 0));
        }
    }
    victim.id
}
