//! `/proc/sys`: settings that programs ask for (proc_sys(5)). None can be changed.

use alloc::vec::Vec;

use sync::Once;
use vfs::pseudo::{Entry, Item, Listing};

use super::{SystemText, processes};

macro_rules! value {
    ($text:literal) => {
        Item::Fixed(concat!($text, "\n"))
    };
}

/// What the layer above knows, by its place here.
const SYSTEM: [SystemText; 3] = [SystemText::HostName, SystemText::Release, SystemText::Version];

fn system(which: u32, out: &mut Vec<u8>) {
    if let (Some(processes), Some(&which)) = (processes(), SYSTEM.get(which as usize)) {
        processes.system(which, out);
    }
    out.push(b'\n');
}

const fn directory(name: &'static str, listing: &'static Listing) -> Entry {
    Entry::new(name, Item::Directory(listing))
}

/// `/proc/sys`.
pub const ROOT: Listing = Listing::new(&[
    directory("fs", &FILES),
    directory("kernel", &KERNEL),
    Entry::new("net", Item::Chosen(network)),
    directory("vm", &MEMORY),
]);

const FILES: Listing = Listing::new(&[
    Entry::new("file-max", value!("9223372036854775807")),
    Entry::new("file-nr", value!("64\t0\t9223372036854775807")),
    Entry::new("inode-nr", value!("64\t0")),
    directory("inotify", &INOTIFY),
    directory("mqueue", &QUEUES),
    Entry::new("nr_open", value!("1048576")),
    Entry::new("pipe-max-size", value!("1048576")),
]);

/// As `watches` has them.
const INOTIFY: Listing = Listing::new(&[
    Entry::new("max_queued_events", value!("16384")),
    Entry::new("max_user_instances", value!("128")),
    Entry::new("max_user_watches", value!("65536")),
]);

/// As `ipc::post` has them.
const QUEUES: Listing = Listing::new(&[
    Entry::new("msg_default", value!("10")),
    Entry::new("msg_max", value!("10")),
    Entry::new("msgsize_default", value!("8192")),
    Entry::new("msgsize_max", value!("8192")),
    Entry::new("queues_max", value!("256")),
]);

/// The limits of shared objects are those of the element `ipc`.
const KERNEL: Listing = Listing::new(&[
    Entry::new("cap_last_cap", value!("40")),
    Entry::new("core_pattern", value!("core")),
    Entry::new("domainname", value!("(none)")),
    Entry::new("hostname", Item::Text(system, 0)),
    Entry::new("msg_next_id", value!("-1")),
    Entry::new("msgmax", value!("8192")),
    Entry::new("msgmnb", value!("16384")),
    Entry::new("msgmni", value!("32000")),
    Entry::new("ngroups_max", value!("65536")),
    Entry::new("osrelease", Item::Text(system, 1)),
    Entry::new("ostype", value!("Linux")),
    Entry::new("overflowgid", value!("65534")),
    Entry::new("overflowuid", value!("65534")),
    Entry::new("pid_max", value!("32768")),
    directory("random", &RANDOM),
    Entry::new("randomize_va_space", value!("2")),
    Entry::new("sched_child_runs_first", value!("0")),
    Entry::new("sem", value!("32000\t1024000000\t500\t32000")),
    Entry::new("sem_next_id", value!("-1")),
    Entry::new("shm_next_id", value!("-1")),
    Entry::new("shm_rmid_forced", value!("0")),
    Entry::new("shmall", value!("18446744073692774399")),
    Entry::new("shmmax", value!("18446744073692774399")),
    Entry::new("shmmni", value!("4096")),
    Entry::new("tainted", value!("0")),
    Entry::new("threads-max", value!("32768")),
    Entry::new("version", Item::Text(system, 2)),
]);

const RANDOM: Listing = Listing::new(&[
    Entry::new("boot_id", Item::Text(boot_id, 0)),
    Entry::new("entropy_avail", value!("256")),
    Entry::new("poolsize", value!("256")),
    Entry::new("uuid", Item::Text(|_, out| identifier(&random(), out), 0)),
]);

fn network() -> &'static Listing {
    super::listing(super::Place::NetworkSettings, &NETWORK)
}

static NETWORK: Listing = Listing::new(&[directory("core", &NETWORK_CORE)]);
/// Of all sockets.
pub static NETWORK_CORE: Listing = Listing::new(&[
    Entry::new("rmem_default", value!("212992")),
    Entry::new("rmem_max", value!("212992")),
    Entry::new("somaxconn", value!("4096")),
    Entry::new("wmem_default", value!("212992")),
    Entry::new("wmem_max", value!("212992")),
]);

const MEMORY: Listing = Listing::new(&[
    Entry::new("max_map_count", value!("65530")),
    Entry::new("mmap_min_addr", value!("65536")),
    Entry::new("nr_hugepages", value!("0")),
    Entry::new("overcommit_memory", value!("0")),
    Entry::new("overcommit_ratio", value!("50")),
    Entry::new("swappiness", value!("60")),
]);

/// The same until the machine ends.
fn boot_id(_: u32, out: &mut Vec<u8>) {
    static BOOT: Once<[u8; 16]> = Once::new();
    identifier(BOOT.call_once(random), out);
}

fn random() -> [u8; 16] {
    let mut bytes = [0; 16];
    contracts::entropy::fill(&mut bytes);
    bytes
}

/// Sixteen random bytes as a version 4 UUID (RFC 9562, section 5.4).
fn identifier(bytes: &[u8; 16], out: &mut Vec<u8>) {
    let mut bytes = *bytes;
    bytes[6] = bytes[6] & 0xf | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    for (index, byte) in bytes.into_iter().enumerate() {
        let dash: &[u8] = if matches!(index, 4 | 6 | 8 | 10) { b"-" } else { b"" };
        out.extend_from_slice(dash);
        out.extend_from_slice(&[byte >> 4, byte & 0xf].map(|digit| b"0123456789abcdef"[usize::from(digit)]));
    }
    out.push(b'\n');
}
