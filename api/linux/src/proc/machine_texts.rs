//! `/proc/*`: the machine.

use core::fmt::{self, Write};

use linux_abi::constants::CLOCK_TICKS;

use crate::system::uname::{RELEASE, VERSION};

const SECOND: u64 = 1_000_000_000;

/// `meminfo`: memory in kilobytes.
pub fn meminfo(out: &mut dyn Write) -> fmt::Result {
    let memory = contracts::pager::memory_use();
    let lines = [
        ("MemTotal", memory.total),
        ("MemFree", memory.free),
        ("MemAvailable", memory.free),
        ("Buffers", 0),
        ("Cached", 0),
        ("SwapCached", 0),
        ("SwapTotal", 0),
        ("SwapFree", 0),
        ("Shmem", 0),
        ("Slab", 0),
    ];
    lines.iter().try_for_each(|(name, bytes)| writeln!(out, "{:<16}{:8} kB", Label(name), bytes / 1024))
}

/// A name with its colon, padded as one.
struct Label<'a>(&'a str);

impl fmt::Display for Label<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = out.width().unwrap_or(0).saturating_sub(self.0.len() + 1);
        write!(out, "{}:{:width$}", self.0, "")
    }
}

/// `cpuinfo`: the processor.
pub fn cpuinfo(out: &mut dyn Write) -> fmt::Result {
    out.write_str("processor\t: 0\n")?;
    contracts::processor::describe(out)?;
    out.write_str("\n")
}

/// `uptime`: seconds since the start, and idle ones.
pub fn uptime(out: &mut dyn Write) -> fmt::Result {
    let now = contracts::clock::monotonic();
    writeln!(out, "{}.{:02} 0.00", now / SECOND, now % SECOND / (SECOND / 100))
}

/// `loadavg`: nothing is ever queued for the processor.
pub fn loadavg(out: &mut dyn Write) -> fmt::Result {
    out.write_str("0.00 0.00 0.00 1/1 1\n")
}

/// `version`: what uname(2) says, in a line.
pub fn version(out: &mut dyn Write) -> fmt::Result {
    writeln!(out, "Linux version {RELEASE} (whittle) {VERSION}")
}

/// `stat`: processor time in ticks, and the time of the start.
pub fn stat(out: &mut dyn Write) -> fmt::Result {
    let now = contracts::clock::monotonic();
    let used = now / (SECOND / CLOCK_TICKS);
    let started = contracts::clock::wall().saturating_sub(now) / SECOND;
    for name in ["cpu ", "cpu0"] {
        writeln!(out, "{name} {used} 0 0 0 0 0 0 0 0 0")?;
    }
    writeln!(out, "intr 0\nctxt 0\nbtime {started}\nprocesses 1\nprocs_running 1\nprocs_blocked 0")
}
