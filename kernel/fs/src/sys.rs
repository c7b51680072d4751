//! `/sys`: the few files that programs look into (sysfs(5)).

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
    Entry::new("online", PROCESSORS),
    Entry::new("possible", PROCESSORS),
    Entry::new("present", PROCESSORS),
]);
const DEVICES_SYSTEM: Listing = Listing::new(&[directory("cpu", &CPU)]);
const DEVICES: Listing = Listing::new(&[directory("system", &DEVICES_SYSTEM)]);

const HUGE_PAGES: Listing = Listing::new(&[Entry::new("enabled", Item::Fixed("always madvise [never]\n"))]);
const MEMORY: Listing = Listing::new(&[directory("transparent_hugepage", &HUGE_PAGES)]);
const KERNEL: Listing = Listing::new(&[directory("mm", &MEMORY)]);

/// The file system.
pub static SYSTEM: System = System {
    device: crate::device::SYS,
    magic: 0x6265_6572,
    now: crate::surroundings::now,
    root: Listing::new(&[directory("devices", &DEVICES), directory("kernel", &KERNEL)]),
};
