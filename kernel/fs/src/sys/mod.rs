//! `/sys`: the few files that programs look into (sysfs(5)).

mod cgroup;

use alloc::vec::Vec;

use vfs::pseudo::{Entry, Item, Listing, System, append_number};

const fn directory(name: &'static str, listing: &'static Listing) -> Entry {
    Entry::new(name, Item::Directory(listing))
}

/// The processors there are.
const PROCESSORS: Item = Item::Text(processors, 0);

fn processors(_: u32, out: &mut Vec<u8>) {
    out.push(b'0');
    let last = kernel::task::processors() - 1;
    if last > 0 {
        out.push(b'-');
        append_number(out, last as u64, 0);
    }
    out.push(b'\n');
}

const CPU: Listing = Listing::new(&[
    Entry::new("kernel_max", Item::Fixed("63\n")),
    Entry::new("offline", Item::Fixed("\n")),
    Entry::new("online", PROCESSORS),
    Entry::new("possible", PROCESSORS),
    Entry::new("present", PROCESSORS),
]);
const DEVICES_SYSTEM: Listing = Listing::new(&[directory("cpu", &CPU), directory("node", &NODES)]);

/// Memory is the same from everywhere: one node.
const NODES: Listing = Listing::new(&[
    directory("node0", &NODE),
    Entry::new("online", Item::Fixed("0\n")),
    Entry::new("possible", Item::Fixed("0\n")),
]);
const NODE: Listing = Listing::new(&[
    Entry::new("cpulist", PROCESSORS),
    Entry::new("cpumap", Item::Text(processor_map, 0)),
    Entry::new("meminfo", Item::Text(node_memory, 0)),
]);

/// A bit for each processor, in hexadecimal.
fn processor_map(_: u32, out: &mut Vec<u8>) {
    let count = kernel::task::processors();
    if !count.is_multiple_of(4) {
        out.push(b"0137"[count % 4]);
    }
    out.extend((0..count / 4).map(|_| b'f'));
    out.push(b'\n');
}

fn node_memory(_: u32, out: &mut Vec<u8>) {
    let memory = contracts::memory_report::memory_use();
    let used = memory.total.saturating_sub(memory.free);
    for (name, bytes) in [("MemTotal:", memory.total), ("MemFree: ", memory.free), ("MemUsed: ", used)] {
        out.extend_from_slice(b"Node 0 ");
        out.extend_from_slice(name.as_bytes());
        append_number(out, (bytes >> 10) as u64, 15);
        out.extend_from_slice(b" kB\n");
    }
}

static FILE_SYSTEMS: Listing =
    Listing { entries: &[Entry::new("cgroup", Item::Other(&cgroup::SYSTEM))], numbered: None };
const DEVICES: Listing = Listing::new(&[directory("system", &DEVICES_SYSTEM)]);

const HUGE_PAGES: Listing = Listing::new(&[
    Entry::new("enabled", Item::Fixed("always madvise [never]\n")),
    Entry::new("hpage_pmd_size", Item::Fixed("2097152\n")),
    Entry::new("shmem_enabled", Item::Fixed("always within_size advise [never] deny force\n")),
]);
const MEMORY: Listing = Listing::new(&[directory("transparent_hugepage", &HUGE_PAGES)]);
const KERNEL: Listing = Listing::new(&[directory("mm", &MEMORY)]);

fn classes() -> &'static Listing {
    crate::proc::listing(crate::proc::Place::Classes, &NO_CLASSES)
}

static NO_CLASSES: Listing = Listing::new(&[]);

/// The file system.
pub static SYSTEM: System = System {
    device: crate::device::SYS,
    magic: 0x6265_6572,
    now: crate::clock::now,
    owner: |_| vfs::Owner::default(),
    root: Listing {
        entries: &[
            Entry::new("class", Item::Chosen(classes)),
            directory("devices", &DEVICES),
            directory("fs", &FILE_SYSTEMS),
            directory("kernel", &KERNEL),
        ],
        numbered: None,
    },
};
