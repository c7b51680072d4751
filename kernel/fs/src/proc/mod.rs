//! `/proc` (proc(5)).
//!
//! What concerns the machine is written here; what concerns processes comes from the layer above, which says so by
//! [`provide`]. Until then there are no processes to see.

mod machine;
mod mounts;
mod process;
mod settings;
mod spaces;

use alloc::vec::Vec;

use sync::Once;
use vfs::{
    FileError, Owner,
    pseudo::{Entry, Item, Listing, PROC, System, Target, Trail, Wanted},
};

use process::NUMBERED;

/// Texts about a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessText {
    /// `auxv`: the auxiliary vector.
    Auxiliary,
    /// `cmdline`: arguments, each with its NUL.
    CommandLine,
    /// `comm`: the name, with a newline.
    Name,
    /// `environ`: the environment, each with its NUL.
    Environment,
    /// `limits`.
    Limits,
    /// `maps`: the address space.
    Maps,
    /// `smaps`: the address space, with figures.
    Regions,
    /// `stat`: one line for programs.
    Stat,
    /// `statm`: memory in pages.
    Memory,
    /// `status`: lines for people.
    Status,
    /// `oom_score`: how likely it is to end when memory has run out.
    Badness,
    /// `oom_score_adj`: what is added to that.
    Adjustment,
    /// `loginuid`: who logged in.
    LoginUser,
    /// `sessionid`: which login that was.
    LoginSession,
}

/// Links of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessLink {
    /// `cwd`: the working directory.
    Directory,
    /// `exe`: the program's file.
    Executable,
    /// `root`: the root directory.
    Root,
}

/// Texts about the system that the layer above knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemText {
    /// What uname(2) calls the machine.
    HostName,
    /// What uname(2) calls the release.
    Release,
    /// What uname(2) calls the version.
    Version,
    /// `sysvipc/shm`: shared memory, a line each. These three end with a newline.
    Segments,
    /// `sysvipc/sem`: sets of semaphores.
    Semaphores,
    /// `sysvipc/msg`: message queues.
    Messages,
    /// `locks`: who has locked which files.
    Locks,
    /// `net/unix`: sockets within the machine.
    Sockets,
}

/// Directories that the layer above may have more in than this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// `/proc/net`.
    Network,
    /// `/proc/sys/net`.
    NetworkSettings,
    /// `/sys/class`.
    Classes,
}

/// `net/unix`, for who has a directory of its own there.
pub const UNIX_SOCKETS: Item = process::SOCKETS;
/// `core` of `/proc/sys/net`, for who has more there.
pub const NETWORK_SETTINGS: Item = Item::Directory(&settings::NETWORK_CORE);

/// What is in a directory: what the layer above says, or else this.
pub(crate) fn listing(place: Place, otherwise: &'static Listing) -> &'static Listing {
    processes().and_then(|known| known.listing(place)).unwrap_or(otherwise)
}

/// What the layer above knows about processes. Each is meant by its number, or by that of one of its threads.
pub trait Processes: Sync {
    /// The number of the process that asks.
    fn process(&self) -> u32;

    /// The number of the thread that asks.
    fn thread(&self) -> u32;

    /// Whether there is that process.
    fn has_process(&self, process: u32) -> bool;

    /// The lowest number from this one on that a process has.
    fn next_process(&self, from: u32) -> Option<u32>;

    /// Whose it is.
    fn owner(&self, process: u32) -> Owner;

    /// The processors' time that all threads of all processes had, in nanoseconds.
    fn processor_time(&self) -> u64;

    /// Sets what `oom_score_adj` says.
    fn set_adjustment(&self, process: u32, text: &[u8]) -> Result<(), FileError>;

    /// Sets what `loginuid` says.
    fn set_login_user(&self, process: u32, text: &[u8]) -> Result<(), FileError>;

    /// Whether a thread of the process has that number.
    fn has_thread(&self, process: u32, number: u32) -> bool;

    /// The lowest number from this one on that a thread of the process has.
    fn next_thread(&self, process: u32, from: u32) -> Option<u32>;

    /// Appends a text.
    fn text(&self, process: u32, which: ProcessText, out: &mut Vec<u8>);

    /// Appends a text about its thread with that number.
    fn thread_text(&self, process: u32, number: u32, which: ProcessText, out: &mut Vec<u8>);

    /// Names that thread.
    fn set_name(&self, process: u32, number: u32, name: &[u8]) -> Result<(), FileError>;

    /// Appends a text; a single line has no newline.
    fn system(&self, which: SystemText, out: &mut Vec<u8>);

    /// Where a link leads, for those who may look into the process.
    fn link(&self, process: u32, which: ProcessLink, wanted: Wanted) -> Result<Target, FileError>;

    /// The lowest number from this one on that an open file of the process has.
    fn next_descriptor(&self, process: u32, from: u32) -> Option<u32>;

    /// What the process has open under that number.
    fn descriptor(&self, process: u32, number: u32, wanted: Wanted) -> Option<Target>;

    /// What is in a directory, if it knows better.
    fn listing(&self, _place: Place) -> Option<&'static Listing> {
        None
    }

    /// Appends what is known about that open file.
    fn information(&self, process: u32, number: u32, out: &mut Vec<u8>);
}

/// `sysvipc`: objects that programs share.
static OBJECTS: Listing = Listing::new(&[
    Entry::new("msg", Item::Text(objects, 0)),
    Entry::new("sem", Item::Text(objects, 1)),
    Entry::new("shm", Item::Text(objects, 2)),
]);

fn objects(which: u32, out: &mut Vec<u8>) {
    const KINDS: [SystemText; 3] = [SystemText::Messages, SystemText::Semaphores, SystemText::Segments];
    if let (Some(processes), Some(&which)) = (processes(), KINDS.get(which as usize)) {
        processes.system(which, out);
    }
}

static PROCESSES: Once<&'static dyn Processes> = Once::new();

/// Says who knows about processes. Once.
pub fn provide(processes: &'static dyn Processes) {
    PROCESSES.call_once(|| processes);
}

pub(crate) fn processes() -> Option<&'static dyn Processes> {
    PROCESSES.get().copied()
}

/// Whose an entry is: a process' own, else everything is theirs who asks.
fn owner(trail: Trail) -> Owner {
    processes().map_or_else(Owner::default, |known| known.owner(trail.first().unwrap_or_else(|| known.process())))
}

/// What [`lines`] is asked for.
const LOCKS: u32 = 0;
/// See there.
const SOCKETS: u32 = 1;

/// Lines that the layer above writes.
fn lines(which: u32, out: &mut Vec<u8>) {
    if let Some(processes) = processes() {
        processes.system(if which == LOCKS { SystemText::Locks } else { SystemText::Sockets }, out);
    }
}

/// The file system.
pub(crate) static SYSTEM: System = System {
    device: crate::device::PROC,
    magic: PROC,
    now: crate::clock::now,
    owner,
    root: Listing {
        entries: &[
            Entry::new("cgroups", Item::Fixed(crate::hierarchy::CONTROLLERS)),
            // The kernel has no command line that a program should see.
            Entry::new("cmdline", Item::Fixed("\n")),
            Entry::new("cpuinfo", Item::Text(machine::processors, 0)),
            Entry::new("devices", Item::Text(machine::devices, 0)),
            Entry::new(
                "filesystems",
                Item::Fixed("nodev\tsysfs\nnodev\ttmpfs\nnodev\tproc\nnodev\tcgroup2\nnodev\tpipefs\n"),
            ),
            // Nobody counts.
            Entry::new("loadavg", Item::Fixed("0.00 0.00 0.00 1/1 1\n")),
            Entry::new("locks", Item::Text(lines, LOCKS)),
            Entry::new("meminfo", Item::Text(machine::memory, 0)),
            Entry::new("mounts", Item::Link(|_, _, _| Ok(Target::Path(b"self/mounts".to_vec())), 0)),
            Entry::new("net", Item::Link(|_, _, _| Ok(Target::Path(b"self/net".to_vec())), 0)),
            Entry::new("partitions", Item::Fixed("major minor  #blocks  name\n\n")),
            Entry::new("self", Item::Link(process::own, process::OWN)),
            Entry::new("stat", Item::Text(machine::statistics, 0)),
            Entry::new("swaps", Item::Fixed("Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n")),
            Entry::new("sys", Item::Directory(&settings::ROOT)),
            Entry::new("sysvipc", Item::Directory(&OBJECTS)),
            Entry::new("thread-self", Item::Link(process::own, process::OWN_THREAD)),
            Entry::new("uptime", Item::Text(machine::uptime, 0)),
            Entry::new("version", Item::Text(machine::version, 0)),
            Entry::new("vmstat", Item::Text(machine::pages, 0)),
        ],
        numbered: Some(NUMBERED),
    },
};
