//! Texts about the machine.

use alloc::vec::Vec;

use super::{SystemText, processes};
use crate::text::{Appender, append};

const SECOND: u64 = 1_000_000_000;

/// `cmdline`: the kernel has no command line that a program should see.
pub fn command_line(out: &mut Vec<u8>) {
    out.push(b'\n');
}

/// `cpuinfo`.
pub fn processors(out: &mut Vec<u8>) {
    out.extend_from_slice(b"processor\t: 0\n");
    // Only writing to a vector, which does not fail.
    let _ = contracts::processor::describe(&mut Appender(out));
    out.push(b'\n');
}

/// `devices`.
pub fn devices(out: &mut Vec<u8>) {
    out.extend_from_slice(b"Character devices:\n  1 mem\n  5 /dev/tty\n  5 /dev/console\n\nBlock devices:\n");
}

/// `filesystems`.
pub fn file_systems(out: &mut Vec<u8>) {
    out.extend_from_slice(b"nodev\tsysfs\nnodev\ttmpfs\nnodev\tproc\nnodev\tpipefs\n");
}

/// `loadavg`: nobody counts.
pub fn load(out: &mut Vec<u8>) {
    out.extend_from_slice(b"0.00 0.00 0.00 1/1 1\n");
}

/// `meminfo`. Files are part of what is used.
pub fn memory(out: &mut Vec<u8>) {
    let memory = contracts::pager::memory_use();
    let (total, free) = (memory.total >> 10, memory.free >> 10);
    let lines = [
        ("MemTotal", total),
        ("MemFree", free),
        ("MemAvailable", free),
        ("Buffers", 0),
        ("Cached", 0),
        ("SwapCached", 0),
        ("Active", total - free.min(total)),
        ("Inactive", 0),
        ("SwapTotal", 0),
        ("SwapFree", 0),
        ("Shmem", 0),
        ("CommitLimit", total),
        ("Committed_AS", total - free.min(total)),
        ("HugePages_Total", 0),
        ("HugePages_Free", 0),
        ("Hugepagesize", 2048),
    ];
    for (name, value) in lines {
        // Numbers of huge pages are the two lines without a unit.
        let unit = if name.starts_with("HugePages") { "" } else { " kB" };
        let width = 16 - name.len().min(15);
        append(out, format_args!("{name}:{value:width$}{unit}\n", width = width + 7));
    }
}

/// `stat`.
pub fn statistics(out: &mut Vec<u8>) {
    let started = contracts::clock::wall().saturating_sub(contracts::clock::monotonic()) / SECOND;
    let ticks = contracts::clock::monotonic() / (SECOND / 100);
    for name in ["cpu ", "cpu0"] {
        append(out, format_args!("{name} {ticks} 0 0 0 0 0 0 0 0 0\n"));
    }
    append(out, format_args!("intr 0\nctxt 0\nbtime {started}\nprocesses 1\nprocs_running 1\nprocs_blocked 0\n"));
}

/// `swaps`.
pub fn swaps(out: &mut Vec<u8>) {
    out.extend_from_slice(b"Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n");
}

/// `uptime`: since the start, and idle.
pub fn uptime(out: &mut Vec<u8>) {
    let hundredths = contracts::clock::monotonic() / (SECOND / 100);
    append(out, format_args!("{}.{:02} 0.00\n", hundredths / 100, hundredths % 100));
}

/// `version`.
pub fn version(out: &mut Vec<u8>) {
    let Some(processes) = processes() else { return };
    out.extend_from_slice(b"Linux version ");
    processes.system(SystemText::Release, out);
    out.extend_from_slice(b" (whittle) ");
    processes.system(SystemText::Version, out);
    out.push(b'\n');
}

/// `mounts`.
pub fn mounts(out: &mut Vec<u8>) {
    out.extend_from_slice(b"tmpfs / tmpfs rw,relatime 0 0\nproc /proc proc ro 0 0\nsysfs /sys sysfs ro 0 0\n");
}

/// `mountinfo`.
pub fn mount_information(out: &mut Vec<u8>) {
    out.extend_from_slice(
        b"1 1 0:1 / / rw,relatime - tmpfs tmpfs rw\n2 1 0:2 / /proc ro - proc proc ro\n\
          3 1 0:3 / /sys ro - sysfs sysfs ro\n",
    );
}
