//! `/proc/PID/*` beside the mappings.

use alloc::{sync::Arc, vec::Vec};
use core::sync::atomic::Ordering;

use identity::Capability;
use kernel::task::{self, Thread};
use linux_abi::constants::{CLOCK_TICKS, RLIM_INFINITY};
use machine::PAGE_SIZE;
use signal_state::SignalSet;
use vfs::FileError;

use super::{processors, program, with_space};
use crate::objects::{
    ability, children,
    process::{Process, linux, may, table},
    terminal,
    text::fill,
};

const TICK: u64 = 1_000_000_000 / CLOCK_TICKS;

/// A thread that is asked about, or, by the number of its first one, the process.
pub struct Subject {
    /// Its process.
    pub process: Arc<Process>,
    /// Its number.
    pub number: u32,
    /// None of a first one that has ended before the others.
    pub thread: Option<Arc<Thread>>,
}

impl Subject {
    fn name(&self) -> Arc<str> {
        self.thread.as_ref().map_or_else(|| program(&self.process).name.clone(), |thread| linux(thread).name())
    }

    /// The letter of its state, and what it stands for.
    fn state(&self) -> &'static str {
        match &self.thread {
            None => "Z (zombie)",
            Some(_) if self.process.stopped.load(Ordering::Relaxed) => "T (stopped)",
            Some(thread) if task::sleeps(thread) => "S (sleeping)",
            Some(_) => "R (running)",
        }
    }

    /// Nanoseconds of the processors' time, of all threads for the process.
    fn processor_time(&self) -> u64 {
        match &self.thread {
            Some(thread) if self.number != self.process.id => thread.processor_time(),
            _ => self.process.threads.lock().processor_time(),
        }
    }
}

/// `comm`: the name and a newline.
pub fn name(subject: &Subject, out: &mut Vec<u8>) {
    out.extend_from_slice(subject.name().as_bytes());
    out.push(b'\n');
}

/// Pages: mapped, and in memory. Who is alone has all that is in use: servers ask for it many times a second, and to go
/// through a space's tables takes as long as they are.
fn pages(process: &Process) -> (u64, u64) {
    let memory = contracts::memory_report::memory_use();
    let (mut mapped, mut resident) = (0, memory.total.saturating_sub(memory.free));
    let is_alone = !ability::processes() || table::count() == 1;
    with_space(process, &mut |space| {
        space.for_each_region(&mut |region| mapped += region.length() / PAGE_SIZE);
        if !is_alone {
            resident = space.resident();
        }
    });
    (mapped as u64, (resident / PAGE_SIZE) as u64)
}

/// `oom_score`. Who is alone has what Linux gives one that has little.
pub fn badness(process: &Process, out: &mut Vec<u8>) {
    let score = if ability::processes() { children::score(process) } else { 666 };
    fill(out, "#\n", &[score as u64]);
}

/// `oom_score_adj`.
pub fn adjustment(process: &Process, out: &mut Vec<u8>) {
    let value = if ability::processes() { process.kin().adjustment.load(Ordering::Relaxed) } else { 0 };
    fill(out, if value < 0 { "-#\n" } else { "#\n" }, &[value.unsigned_abs().into()]);
}

/// Sets it: a number from -1000 to 1000, which only who has CAP_SYS_RESOURCE lowers.
pub fn set_adjustment(process: &Process, text: &[u8]) -> Result<(), FileError> {
    let text = core::str::from_utf8(text).map_err(|_| FileError::Invalid)?;
    let wanted: i32 = text.trim().parse().map_err(|_| FileError::Invalid)?;
    if !children::ADJUSTMENTS.contains(&wanted) {
        return Err(FileError::Invalid);
    }
    if !ability::processes() {
        return Err(FileError::Denied);
    }
    let adjustment = &process.kin().adjustment;
    if wanted < adjustment.load(Ordering::Relaxed) && !may(Capability::SysResource) {
        return Err(FileError::Denied);
    }
    adjustment.store(wanted, Ordering::Relaxed);
    Ok(())
}

/// What `stat` says behind the terminal and the group in its foreground: flags, faults; time in user and kernel mode,
/// own and children's; priority, niceness, threads, interval timer, start; code, stack; then signals, which are in
/// `status`, and what Linux leaves 0; data's ends, break, arguments' and environment's ends, exit code.
const STAT: &str = " 4194304 0 0 0 0 # 0 0 0 20 0 # 0 # # # # 1 1 # 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 \
                    0 0 # 0 0 0 0 0\n";

/// `stat`: one line of 52 fields.
pub fn stat(subject: &Subject, out: &mut Vec<u8>) {
    let process = &*subject.process;
    let program = program(process);
    let group = process.group().into();
    let (mapped, resident) = pages(process);
    let (device, foreground) = terminal::shown(process);
    fill(out, "# (", &[subject.number.into()]);
    out.extend_from_slice(subject.name().as_bytes());
    out.extend_from_slice(b") ");
    out.push(subject.state().as_bytes()[0]);
    let parent = process.parent.load(Ordering::Relaxed);
    fill(out, " # # # #", &[parent.into(), group, process.session().into(), device.into()]);
    match foreground {
        Some(group) => fill(out, " #", &[group.into()]),
        None => out.extend_from_slice(b" -1"),
    }
    let numbers = [
        subject.processor_time() / TICK,
        process.threads.lock().count() as u64,
        process.started / TICK,
        mapped * PAGE_SIZE as u64,
        resident,
        RLIM_INFINITY,
        program.stack_start as u64,
        program.break_start as u64,
    ];
    fill(out, STAT, &numbers);
}

/// `statm`: sizes in pages.
pub fn statm(process: &Process, out: &mut Vec<u8>) {
    let (mapped, resident) = pages(process);
    fill(out, "# # 0 0 0 # 0\n", &[mapped, resident, mapped]);
}

/// What `status` says behind the name, up to the groups.
const STATUS: &str = "\nTgid:\t#\nNgid:\t0\nPid:\t#\nPPid:\t#\nTracerPid:\t0\n\
                      Uid:\t#\t#\t#\t#\nGid:\t#\t#\t#\t#\nFDSize:\t64\nGroups:\t";

/// What it says behind the groups.
const STATUS_END: &str = "\nVmSize:\t@ kB\nVmLck:\t@ kB\nVmRSS:\t@ kB\nThreads:\t#\nSigPnd:\t&\nShdPnd:\t&\nSigBlk:\t&\n\
                          SigIgn:\t&\nSigCgt:\t&\nCapInh:\t&\nCapPrm:\t&\nCapEff:\t&\n\
                          CapBnd:\t&\nCapAmb:\t&\nNoNewPrivs:\t#\nSeccomp:\t0\n";

/// `status`: the same for people.
pub fn status(subject: &Subject, out: &mut Vec<u8>) {
    let process = &*subject.process;
    let identity = process.identity.lock().clone();
    let (user, group) = (identity.user, identity.group);
    let numbers = [
        process.id,
        subject.number,
        process.parent.load(Ordering::Relaxed),
        user.real,
        user.effective,
        user.saved,
        user.file,
        group.real,
        group.effective,
        group.saved,
        group.file,
    ];
    out.extend_from_slice(b"Name:\t");
    out.extend_from_slice(subject.name().as_bytes());
    if let Some(thread) = &subject.thread {
        let umask = linux(thread).location.lock().umask;
        fill(out, "\nUmask:\t0###", &[umask >> 6 & 7, umask >> 3 & 7, umask & 7].map(u64::from));
    }
    out.extend_from_slice(b"\nState:\t");
    out.extend_from_slice(subject.state().as_bytes());
    fill(out, STATUS, &numbers.map(u64::from));
    for &group in &identity.groups {
        fill(out, "# ", &[group.into()]);
    }
    let (mapped, resident) = pages(process);
    let (own, blocked) = subject.thread.as_ref().map_or((SignalSet::EMPTY, SignalSet::EMPTY), |thread| {
        let signals = linux(thread).signals.lock();
        (signals.pending.set(), signals.blocked)
    });
    let threads = process.threads.lock().count() as u64;
    let (shared, ignored, caught) = process.signals.lock().summary();
    let mut locked = 0;
    with_space(process, &mut |space| locked = space.locked());
    const KILOBYTES: u64 = PAGE_SIZE as u64 / 1024;
    let sets = identity.capabilities;
    let numbers = [
        mapped * KILOBYTES,
        locked as u64 / 1024,
        resident * KILOBYTES,
        threads,
        own.0,
        shared.0,
        blocked.0,
        ignored.0,
        caught.0,
        sets.inheritable.0,
        sets.permitted.0,
        sets.effective.0,
        sets.bounding.0,
        sets.ambient.0,
        identity.gains_nothing.into(),
    ];
    fill(out, STATUS_END, &numbers);
    processors::lines(subject.thread.as_deref(), out);
}
