//! Texts about the machine.

use alloc::vec::Vec;

use vfs::pseudo::append_number;

use super::{SystemText, processes};
use crate::text::Appender;

const SECOND: u64 = 1_000_000_000;
const HUNDREDTH: u64 = SECOND / 100;

/// `cpuinfo`.
pub fn processors(_: u32, out: &mut Vec<u8>) {
    for processor in 0..kernel::task::processors() {
        number(out, b"processor\t: ", processor as u64);
        out.push(b'\n');
        // Only writing to a vector, which does not fail.
        let _ = contracts::processor::describe(&mut Appender(out));
        number(out, b"core id\t\t: ", processor as u64);
        number(out, b"\napicid\t\t: ", processor as u64);
        number(out, b"\nsiblings\t: ", kernel::task::processors() as u64);
        number(out, b"\ncpu cores\t: ", kernel::task::processors() as u64);
        out.extend_from_slice(b"\n\n");
    }
}

/// `devices`.
pub fn devices(_: u32, out: &mut Vec<u8>) {
    out.extend_from_slice(b"Character devices:\n  1 mem\n  5 /dev/tty\n  5 /dev/console\n");
    if contracts::config().pseudo_terminals {
        out.extend_from_slice(b"  5 /dev/ptmx\n136 pts\n");
    }
    out.extend_from_slice(b"\nBlock devices:\n");
}

/// `meminfo`. Files are part of what is used. `Slab` is what the kernel's heap holds, files in memory included;
/// `SReclaimable` of it is in no use now.
pub fn memory(_: u32, out: &mut Vec<u8>) {
    let memory = contracts::memory_report::memory_use();
    let (total, free) = (memory.total >> 10, memory.free >> 10);
    let heap = contracts::heap::statistics();
    let (held, used) = (heap.held >> 10, heap.bytes.div_ceil(1 << 10));
    let values = [total, free, total - free.min(total), 0, 2048, held.max(used), held.saturating_sub(used), used];
    // Each line's name, and which of the values it has.
    const LINES: [(&str, u8); 19] = [
        ("MemTotal", 0),
        ("MemFree", 1),
        ("MemAvailable", 1),
        ("Buffers", 3),
        ("Cached", 3),
        ("SwapCached", 3),
        ("Active", 2),
        ("Inactive", 3),
        ("SwapTotal", 3),
        ("SwapFree", 3),
        ("Shmem", 3),
        ("Slab", 5),
        ("SReclaimable", 6),
        ("SUnreclaim", 7),
        ("CommitLimit", 0),
        ("Committed_AS", 2),
        ("HugePages_Total", 3),
        ("HugePages_Free", 3),
        ("Hugepagesize", 4),
    ];
    for (name, value) in LINES {
        out.extend_from_slice(name.as_bytes());
        out.push(b':');
        append_number(out, values[usize::from(value)] as u64, 23 - name.len());
        // Numbers of huge pages are the two lines without a unit.
        let end: &[u8] = if name.starts_with("HugePages") { b"\n" } else { b" kB\n" };
        out.extend_from_slice(end);
    }
}

/// `stat`. Nobody counts which processor did what: each did its part of it.
pub fn statistics(_: u32, out: &mut Vec<u8>) {
    let passed = contracts::clock::monotonic();
    let processors = kernel::task::processors() as u64;
    let used = processes().map_or(0, |known| known.processor_time()) / processors;
    let times = |out: &mut Vec<u8>, count: u64| {
        number(out, b" ", used * count / HUNDREDTH);
        number(out, b" 0 0 ", passed.saturating_sub(used) * count / HUNDREDTH);
        out.extend_from_slice(b" 0 0 0 0 0 0\n");
    };
    out.extend_from_slice(b"cpu ");
    times(out, processors);
    for processor in 0..processors {
        number(out, b"cpu", processor);
        times(out, 1);
    }
    number(out, b"intr 0\nctxt 0\nbtime ", contracts::clock::wall().saturating_sub(passed) / SECOND);
    out.extend_from_slice(b"\nprocesses 1\nprocs_running 1\nprocs_blocked 0\n");
}

/// `uptime`: since the start, and idle.
pub fn uptime(_: u32, out: &mut Vec<u8>) {
    let hundredths = contracts::clock::monotonic() / HUNDREDTH;
    append_number(out, hundredths / 100, 0);
    number(out, b".", hundredths / 10 % 10);
    append_number(out, hundredths % 10, 0);
    out.extend_from_slice(b" 0.00\n");
}

/// A number, and what stands before it.
fn number(out: &mut Vec<u8>, before: &[u8], number: u64) {
    out.extend_from_slice(before);
    append_number(out, number, 0);
}

/// `vmstat`: what is free, in pages; nobody counts the rest.
pub fn pages(_: u32, out: &mut Vec<u8>) {
    number(out, b"nr_free_pages ", (contracts::memory_report::memory_use().free / machine::PAGE_SIZE) as u64);
    out.extend_from_slice(b"\npgpgin 0\npgpgout 0\npswpin 0\npswpout 0\npgfault 0\npgmajfault 0\noom_kill 0\n");
}

/// `version`.
pub fn version(_: u32, out: &mut Vec<u8>) {
    let Some(processes) = processes() else { return };
    out.extend_from_slice(b"Linux version ");
    processes.system(SystemText::Release, out);
    out.extend_from_slice(b" (whittle) ");
    processes.system(SystemText::Version, out);
    out.push(b'\n');
}
