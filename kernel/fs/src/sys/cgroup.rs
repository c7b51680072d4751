//! `/sys/fs/cgroup` (cgroups(7), version 2): what the machine has, as programs find the limits of a container. Java, Go
//! and node size themselves by them.
//!
//! There is one group, which all belongs to: the machine is the limit. So nothing here can be changed, and no group can
//! be made.

use alloc::vec::Vec;

use vfs::pseudo::{Entry, Item, Listing, System, append_number};

use super::PROCESSORS;
use crate::proc;

/// Microseconds in which a processor gives as many.
const PERIOD: u64 = 100_000;
const MICROSECOND: u64 = 1000;
const EVENTS: &str = "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\noom_group_kill 0\n";

/// The file system.
pub static SYSTEM: System = System {
    device: crate::device::CGROUP,
    magic: 0x6367_7270,
    now: crate::clock::now,
    owner: |_| vfs::Owner::default(),
    root: Listing::new(&[
        Entry::new("cgroup.controllers", Item::Fixed("cpuset cpu memory\n")),
        Entry::new("cgroup.events", Item::Fixed("populated 1\nfrozen 0\n")),
        Entry::new("cgroup.procs", Item::Text(members, 0)),
        Entry::new("cgroup.subtree_control", Item::Fixed("\n")),
        Entry::new("cgroup.type", Item::Fixed("domain\n")),
        Entry::new("cpu.max", Item::Text(processors, 0)),
        Entry::new("cpu.stat", Item::Text(processor_time, 0)),
        Entry::new("cpu.weight", Item::Fixed("100\n")),
        Entry::new("cpuset.cpus", PROCESSORS),
        Entry::new("cpuset.cpus.effective", PROCESSORS),
        Entry::new("cpuset.mems", Item::Fixed("0\n")),
        Entry::new("cpuset.mems.effective", Item::Fixed("0\n")),
        Entry::new("memory.current", Item::Text(memory, USED)),
        Entry::new("memory.events", Item::Fixed(EVENTS)),
        Entry::new("memory.high", Item::Fixed("max\n")),
        Entry::new("memory.low", Item::Fixed("0\n")),
        Entry::new("memory.max", Item::Text(memory, TOTAL)),
        Entry::new("memory.min", Item::Fixed("0\n")),
        Entry::new("memory.stat", Item::Text(kinds_of_memory, 0)),
        Entry::new("memory.swap.current", Item::Fixed("0\n")),
        Entry::new("memory.swap.max", Item::Fixed("0\n")),
    ]),
};

/// The processes, a line each.
fn members(_: u32, out: &mut Vec<u8>) {
    let Some(processes) = proc::processes() else { return };
    let all = core::iter::successors(processes.next_process(1), |&last| processes.next_process(last + 1));
    all.for_each(|process| line(out, b"", process.into()));
}

/// `cpu.max`: of each period, as much as there are processors.
fn processors(_: u32, out: &mut Vec<u8>) {
    append_number(out, kernel::task::processors() as u64 * PERIOD, 0);
    line(out, b" ", PERIOD);
}

/// `cpu.stat`. User's and system's time are one sum.
fn processor_time(_: u32, out: &mut Vec<u8>) {
    let used = proc::processes().map_or(0, |known| known.processor_time()) / MICROSECOND;
    line(out, b"usage_usec ", used);
    line(out, b"user_usec ", used);
    out.extend_from_slice(b"system_usec 0\nnr_periods 0\nnr_throttled 0\nthrottled_usec 0\n");
}

const TOTAL: u32 = 0;
const USED: u32 = 1;

fn memory(which: u32, out: &mut Vec<u8>) {
    line(out, b"", if which == TOTAL { contracts::memory_report::memory_use().total as u64 } else { used() });
}

fn used() -> u64 {
    let memory = contracts::memory_report::memory_use();
    memory.total.saturating_sub(memory.free) as u64
}

/// `memory.stat`: what the kernel's heap holds, and the rest, which is programs'. Pages of files are among both.
fn kinds_of_memory(_: u32, out: &mut Vec<u8>) {
    let kernel = (contracts::heap::statistics().held as u64).min(used());
    line(out, b"anon ", used() - kernel);
    line(out, b"file 0\nkernel ", kernel);
    out.extend_from_slice(b"inactive_anon 0\nactive_anon 0\ninactive_file 0\nactive_file 0\n");
}

/// A number, and what stands before it.
fn line(out: &mut Vec<u8>, before: &[u8], number: u64) {
    out.extend_from_slice(before);
    append_number(out, number, 0);
    out.push(b'\n');
}
