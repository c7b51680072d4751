//! `/proc/<number>`: a process, by its number or one of its threads'.

use alloc::vec::Vec;

use vfs::{
    FileError,
    pseudo::{Entry, Item, Listing, Numbered, Target, Trail, Wanted, append_number},
};

use super::{ProcessLink, ProcessText, mounts, processes, spaces};

/// What [`own`] is asked for by `/proc/self`.
pub const OWN: u32 = 0;
/// And by `/proc/thread-self`.
pub const OWN_THREAD: u32 = 1;

/// `/proc/self` and `/proc/thread-self`.
pub fn own(_: Trail, which: u32, _: Wanted) -> Result<Target, FileError> {
    let known = processes().ok_or(FileError::NotFound)?;
    let mut path = Vec::new();
    append_number(&mut path, known.process().into(), 0);
    if which == OWN_THREAD {
        path.extend_from_slice(b"/task/");
        append_number(&mut path, known.thread().into(), 0);
    }
    Ok(Target::Path(path))
}

/// The directories that have numbers for names, of processes.
pub const NUMBERED: Numbered = Numbered {
    find: |_, number| processes()?.has_process(number).then_some(Item::Directory(&PROCESS)),
    next: |_, from| processes()?.next_process(from),
    names: None,
};

/// Texts that the layer above knows, by their place here.
const TEXTS: [ProcessText; 14] = [
    ProcessText::Auxiliary,
    ProcessText::CommandLine,
    ProcessText::Name,
    ProcessText::Environment,
    ProcessText::Limits,
    ProcessText::Maps,
    ProcessText::Stat,
    ProcessText::Memory,
    ProcessText::Status,
    ProcessText::Regions,
    ProcessText::Badness,
    ProcessText::Adjustment,
    ProcessText::LoginUser,
    ProcessText::LoginSession,
];

/// As [`text`], about one thread.
fn thread_text(trail: Trail, which: u32, out: &mut Vec<u8>) {
    if let (Some(processes), Some(&which)) = (processes(), TEXTS.get(which as usize))
        && let (Some(process), Some(number)) = (trail.first(), trail.last())
    {
        processes.thread_text(process, number, which, out);
    }
}

/// Names a thread.
fn set_name(trail: Trail, name: &[u8]) -> Result<(), FileError> {
    let (Some(process), Some(number)) = (trail.first(), trail.last()) else { return Err(FileError::NotFound) };
    processes().ok_or(FileError::NotFound)?.set_name(process, number, name)
}

fn set_adjustment(trail: Trail, text: &[u8]) -> Result<(), FileError> {
    let process = trail.first().ok_or(FileError::NotFound)?;
    processes().ok_or(FileError::NotFound)?.set_adjustment(process, text)
}

fn set_login_user(trail: Trail, text: &[u8]) -> Result<(), FileError> {
    let process = trail.first().ok_or(FileError::NotFound)?;
    processes().ok_or(FileError::NotFound)?.set_login_user(process, text)
}

fn text(trail: Trail, which: u32, out: &mut Vec<u8>) {
    if let (Some(processes), Some(&which), Some(process)) = (processes(), TEXTS.get(which as usize), trail.first()) {
        processes.text(process, which, out);
    }
}

/// Links that the layer above knows, by their place here.
const LINKS: [ProcessLink; 3] = [ProcessLink::Directory, ProcessLink::Executable, ProcessLink::Root];

fn link(trail: Trail, which: u32, wanted: Wanted) -> Result<Target, FileError> {
    let (Some(processes), Some(process), Some(&which)) = (processes(), trail.first(), LINKS.get(which as usize)) else {
        return Err(FileError::NotFound);
    };
    processes.link(process, which, wanted)
}

/// What a process has; but for the last, each of its threads has it too.
static ENTRIES: [Entry; 31] = [
    Entry::new("auxv", Item::OwnersText(text, 0)),
    Entry::new("attr", Item::Directory(&ATTRIBUTES)),
    Entry::new("cgroup", Item::Fixed("0::/\n")),
    Entry::new("cmdline", Item::Of(text, 1)),
    Entry::new("comm", Item::Change(thread_text, set_name, 2)),
    Entry::new("cwd", Item::Link(link, 0)),
    Entry::new("environ", Item::OwnersText(text, 3)),
    Entry::new("exe", Item::Link(link, 1)),
    Entry::new("fd", Item::OwnersDirectory(&DESCRIPTORS)),
    Entry::new("fdinfo", Item::OwnersDirectory(&INFORMATION)),
    Entry::new("gid_map", Item::Fixed(ALL_IDS)),
    Entry::new("io", Item::Fixed(INPUT_AND_OUTPUT)),
    Entry::new("limits", Item::Of(text, 4)),
    Entry::new("maps", Item::OwnersText(text, 5)),
    Entry::new("mountinfo", Item::Text(mounts::text, mounts::INFORMATION)),
    Entry::new("mounts", Item::Text(mounts::text, mounts::MOUNTS)),
    Entry::new("loginuid", Item::Change(text, set_login_user, 12)),
    Entry::new("net", Item::Chosen(network)),
    Entry::new("ns", Item::Directory(&spaces::ALL)),
    Entry::new("oom_score", Item::Of(text, 10)),
    Entry::new("oom_score_adj", Item::Change(text, set_adjustment, 11)),
    Entry::new("personality", Item::Fixed("00000000\n")),
    Entry::new("root", Item::Link(link, 2)),
    Entry::new("sessionid", Item::Of(text, 13)),
    Entry::new("setgroups", Item::Fixed("allow\n")),
    Entry::new("smaps", Item::OwnersText(text, 9)),
    Entry::new("stat", Item::Of(thread_text, 6)),
    Entry::new("statm", Item::Of(text, 7)),
    Entry::new("status", Item::Of(thread_text, 8)),
    Entry::new("uid_map", Item::Fixed(ALL_IDS)),
    Entry::new("task", Item::Directory(&THREADS)),
];

static PROCESS: Listing = Listing::new(&ENTRIES);
static THREAD: Listing = Listing::new(ENTRIES.split_at(30).0);

/// `task`: the threads.
static THREADS: Listing = Listing {
    entries: &[],
    numbered: Some(Numbered {
        find: |trail, number| processes()?.has_thread(trail.first()?, number).then_some(Item::Directory(&THREAD)),
        next: |trail, from| processes()?.next_thread(trail.first()?, from),
        names: None,
    }),
};

/// `uid_map` and `gid_map` of who is in no other namespace than the machine: each id is what it is
/// (user_namespaces(7)).
const ALL_IDS: &str = "         0          0 4294967295\n";

/// `io`: nobody counts.
const INPUT_AND_OUTPUT: &str = "rchar: 0\nwchar: 0\nsyscr: 0\nsyscw: 0\nread_bytes: 0\nwrite_bytes: 0\n\
                                cancelled_write_bytes: 0\n";

/// `attr`: no security module keeps anything there.
static ATTRIBUTES: Listing = Listing::new(&[]);

fn network() -> &'static Listing {
    super::listing(super::Place::Network, &NETWORK)
}

/// `net/unix`: sockets within the machine.
pub const SOCKETS: Item = Item::Text(super::lines, super::SOCKETS);

/// `net` where there is no network but sockets within the machine.
static NETWORK: Listing = Listing::new(&[Entry::new("unix", SOCKETS)]);

/// `fdinfo`: where the open files stand.
static INFORMATION: Listing = Listing {
    entries: &[],
    numbered: Some(Numbered {
        find: |trail, number| is_open(trail, number).then_some(Item::Of(information, number)),
        next: |trail, from| processes()?.next_descriptor(trail.first()?, from),
        names: None,
    }),
};

fn information(trail: Trail, number: u32, out: &mut Vec<u8>) {
    if let (Some(processes), Some(process)) = (processes(), trail.first()) {
        processes.information(process, number, out);
    }
}

/// `fd`: the open files.
static DESCRIPTORS: Listing = Listing {
    entries: &[],
    numbered: Some(Numbered {
        find: |trail, number| is_open(trail, number).then_some(Item::Link(descriptor, number)),
        next: |trail, from| processes()?.next_descriptor(trail.first()?, from),
        names: None,
    }),
};

fn descriptor(trail: Trail, number: u32, wanted: Wanted) -> Result<Target, FileError> {
    let found = processes().zip(trail.first()).and_then(|(known, process)| known.descriptor(process, number, wanted));
    found.ok_or(FileError::NotFound)
}

fn is_open(trail: Trail, number: u32) -> bool {
    descriptor(trail, number, Wanted::Node).is_ok()
}
