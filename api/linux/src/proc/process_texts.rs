//! `/proc/self/*` beside the mappings.

use core::{
    fmt::{self, Write},
    sync::atomic::Ordering,
};

use linux_abi::constants::{CLOCK_TICKS, RLIM_INFINITY};
use machine::PAGE_SIZE;

use crate::{current, proc::Text, process, signal::SignalSet};

const TICK: u64 = 1_000_000_000 / CLOCK_TICKS;

/// `comm`: the name and a newline.
pub fn name(out: &mut dyn Write) -> fmt::Result {
    let program = process().program.lock().clone();
    writeln!(out, "{}", program.name)
}

/// `cmdline`: the arguments, a NUL behind each.
pub fn command_line(out: &mut Text<'_>) -> fmt::Result {
    out.terminated(&process().program.lock().clone().arguments);
    Ok(())
}

/// `environ`: the environment the program started with, a NUL behind each.
pub fn environment(out: &mut Text<'_>) -> fmt::Result {
    out.terminated(&process().program.lock().clone().environment);
    Ok(())
}

/// `auxv`: the auxiliary vector.
pub fn auxiliary(out: &mut Text<'_>) -> fmt::Result {
    out.0.extend_from_slice(&process().program.lock().clone().auxiliary);
    Ok(())
}

/// Pages: mapped, and in memory.
fn pages() -> (usize, usize) {
    let mut mapped = 0;
    kernel::task::current().space().for_each_region(&mut |region| mapped += region.length() / PAGE_SIZE);
    let memory = contracts::pager::memory_use();
    (mapped, memory.total.saturating_sub(memory.free) / PAGE_SIZE)
}

/// `stat`: one line of 52 fields.
pub fn stat(out: &mut dyn Write) -> fmt::Result {
    let process = process();
    let program = process.program.lock().clone();
    let (group, session) = (process.group.load(Ordering::Relaxed), process.session.load(Ordering::Relaxed));
    let used = contracts::clock::monotonic().saturating_sub(process.started) / TICK;
    let (mapped, resident) = pages();
    write!(out, "{} ({}) R {} {group} {session} 34816 {group} 4194304 ", process.id, program.name, process.parent)?;
    // Faults; time in user and kernel mode, own and children's; priority, niceness, threads, interval timer, start.
    write!(out, "0 0 0 0 {used} 0 0 0 20 0 1 0 {} ", process.started / TICK)?;
    write!(out, "{} {resident} {RLIM_INFINITY} ", mapped * PAGE_SIZE)?;
    // Code, stack; then signals, which are in `status`, and what Linux leaves 0.
    write!(out, "1 1 {} 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 ", program.stack_start)?;
    // Data's ends, break, arguments' and environment's ends, exit code.
    writeln!(out, "0 0 {} 0 0 0 0 0", program.break_start)
}

/// `statm`: sizes in pages.
pub fn statm(out: &mut dyn Write) -> fmt::Result {
    let (mapped, resident) = pages();
    writeln!(out, "{mapped} {resident} 0 0 0 {mapped} 0")
}

/// `status`: the same for people.
pub fn status(out: &mut dyn Write) -> fmt::Result {
    let process = process();
    let program = process.program.lock().clone();
    let identity = process.identity.lock().clone();
    let (mapped, resident) = pages();
    let kilobytes = |pages: usize| pages * PAGE_SIZE / 1024;
    writeln!(out, "Name:\t{}\nUmask:\t{:04o}", program.name, process.location.lock().umask)?;
    writeln!(out, "State:\tR (running)\nTgid:\t{0}\nNgid:\t0\nPid:\t{0}", process.id)?;
    writeln!(out, "PPid:\t{}\nTracerPid:\t0", process.parent)?;
    for (label, ids) in [("Uid", identity.user), ("Gid", identity.group)] {
        writeln!(out, "{label}:\t{}\t{}\t{}\t{}", ids.real, ids.effective, ids.saved, ids.file)?;
    }
    out.write_str("FDSize:\t64\nGroups:\t")?;
    for group in &identity.groups {
        write!(out, "{group} ")?;
    }
    writeln!(out, "\nVmSize:\t{:8} kB\nVmRSS:\t{:8} kB\nThreads:\t1", kilobytes(mapped), kilobytes(resident))?;
    signals(out)?;
    out.write_str("Cpus_allowed:\t1\nCpus_allowed_list:\t0\n")
}

fn signals(out: &mut dyn Write) -> fmt::Result {
    let (own, blocked) = {
        let thread = current().signals.lock();
        (thread.pending.set(), thread.blocked)
    };
    let (shared, ignored, caught) = process().signals.lock().summary();
    let line = |out: &mut dyn Write, label: &str, set: SignalSet| writeln!(out, "{label}:\t{:016x}", set.0);
    line(out, "SigPnd", own)?;
    line(out, "ShdPnd", shared)?;
    line(out, "SigBlk", blocked)?;
    line(out, "SigIgn", ignored)?;
    line(out, "SigCgt", caught)
}

/// `limits`: the resource limits as a table.
pub fn limits(out: &mut dyn Write) -> fmt::Result {
    /// What Linux calls them, and what they count.
    const NAMES: [(&str, &str); 16] = [
        ("Max cpu time", "seconds"),
        ("Max file size", "bytes"),
        ("Max data size", "bytes"),
        ("Max stack size", "bytes"),
        ("Max core file size", "bytes"),
        ("Max resident set", "bytes"),
        ("Max processes", "processes"),
        ("Max open files", "files"),
        ("Max locked memory", "bytes"),
        ("Max address space", "bytes"),
        ("Max file locks", "locks"),
        ("Max pending signals", "signals"),
        ("Max msgqueue size", "bytes"),
        ("Max nice priority", ""),
        ("Max realtime priority", ""),
        ("Max realtime timeout", "us"),
    ];
    let limits = *process().limits.lock();
    writeln!(out, "{:<25} {:<20} {:<20} {:<10}", "Limit", "Soft Limit", "Hard Limit", "Units")?;
    for ((name, unit), limit) in NAMES.iter().zip(&limits) {
        let (soft, hard) = (Limit(limit.rlim_cur), Limit(limit.rlim_max));
        writeln!(out, "{name:<25} {soft:<20} {hard:<20} {unit:<10}")?;
    }
    Ok(())
}

/// A limit in figures, or the word for none.
struct Limit(u64);

impl fmt::Display for Limit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == RLIM_INFINITY { out.pad("unlimited") } else { self.0.fmt(out) }
    }
}
