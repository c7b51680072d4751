//! `/proc/<number>/ns`: the name spaces (namespaces(7)). There is one of each, which has the number of Linux' first
//! one.

use alloc::vec::Vec;

use vfs::{
    FileError, Owner,
    pseudo::{Entry, Item, Listing, System, Target, Trail, Wanted, append_number, nothing},
};

/// Kinds and numbers (`include/linux/proc_ns.h` and `include/uapi/linux/nsfs.h`).
const SPACES: [(&str, u64); 8] = [
    ("cgroup", 0xefff_fffb),
    ("ipc", 0xefff_ffff),
    ("mnt", 0xefff_fff8),
    ("net", 0xefff_fff9),
    ("pid", 0xefff_fffc),
    ("time", 0xefff_fffa),
    ("user", 0xefff_fffd),
    ("uts", 0xefff_fffe),
];

const fn space(name: &'static str, which: u32) -> Entry {
    Entry::new(name, Item::Link(target, which))
}

/// The directory.
pub static ALL: Listing = Listing::new(&[
    space("cgroup", 0),
    space("ipc", 1),
    space("mnt", 2),
    space("net", 3),
    space("pid", 4),
    space("pid_for_children", 4),
    space("time", 5),
    space("time_for_children", 5),
    space("user", 6),
    space("uts", 7),
]);

/// What the links lead to is on a file system of its own, without directories.
static SYSTEM: System = System {
    device: crate::device::SPACES,
    magic: 0x6e73_6673,
    now: crate::clock::now,
    owner: |_| Owner::default(),
    root: Listing::new(&[]),
};

fn target(_: Trail, which: u32, wanted: Wanted) -> Result<Target, FileError> {
    let &(name, number) = SPACES.get(which as usize).ok_or(FileError::NotFound)?;
    if wanted == Wanted::Node {
        return Ok(Target::Node(nothing(&SYSTEM, number)));
    }
    let mut path = Vec::from(name);
    path.extend_from_slice(b":[");
    append_number(&mut path, number, 0);
    path.push(b']');
    Ok(Target::Path(path))
}
