//! `/proc/sys`: settings that programs ask for (proc_sys(5)). None can be changed.

use alloc::vec::Vec;

use sync::Once;
use vfs::pseudo::{Entry, Item, Listing};

use super::{SystemText, processes};
use crate::text::append;

macro_rules! value {
    ($text:literal) => {
        Item::Text(|out| out.extend_from_slice(concat!($text, "\n").as_bytes()))
    };
}

macro_rules! system {
    ($which:ident) => {
        Item::Text(|out| {
            if let Some(processes) = processes() {
                processes.system(SystemText::$which, out);
            }
            out.push(b'\n');
        })
    };
}

const fn directory(name: &'static str, listing: &'static Listing) -> Entry {
    Entry::new(name, Item::Directory(listing))
}

/// `/proc/sys`.
pub const ROOT: Listing = Listing::new(&[
    directory("fs", &FILES),
    directory("kernel", &KERNEL),
    directory("net", &NETWORK),
    directory("vm", &MEMORY),
]);

const FILES: Listing = Listing::new(&[
    Entry::new("file-max", value!("9223372036854775807")),
    Entry::new("nr_open", value!("1048576")),
    Entry::new("pipe-max-size", value!("1048576")),
]);

const KERNEL: Listing = Listing::new(&[
    Entry::new("cap_last_cap", value!("40")),
    Entry::new("hostname", system!(HostName)),
    Entry::new("ngroups_max", value!("65536")),
    Entry::new("osrelease", system!(Release)),
    Entry::new("ostype", value!("Linux")),
    Entry::new("pid_max", value!("32768")),
    directory("random", &RANDOM),
    Entry::new("randomize_va_space", value!("2")),
    Entry::new("threads-max", value!("32768")),
    Entry::new("version", system!(Version)),
]);

const RANDOM: Listing = Listing::new(&[
    Entry::new("boot_id", Item::Text(boot_id)),
    Entry::new("entropy_avail", value!("256")),
    Entry::new("poolsize", value!("256")),
    Entry::new("uuid", Item::Text(|out| identifier(&random(), out))),
]);

const NETWORK: Listing = Listing::new(&[directory("core", &NETWORK_CORE)]);
const NETWORK_CORE: Listing = Listing::new(&[Entry::new("somaxconn", value!("4096"))]);

const MEMORY: Listing = Listing::new(&[
    Entry::new("max_map_count", value!("65530")),
    Entry::new("mmap_min_addr", value!("65536")),
    Entry::new("overcommit_memory", value!("0")),
]);

/// The same until the machine ends.
fn boot_id(out: &mut Vec<u8>) {
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
    let number = u128::from_be_bytes(*bytes) & !(0xf << 76 | 0b11 << 62) | 4 << 76 | 0b10 << 62;
    let (a, b, c) = (number >> 96, number >> 80 & 0xffff, number >> 64 & 0xffff);
    let (d, e) = (number >> 48 & 0xffff, number & 0xffff_ffff_ffff);
    append(out, format_args!("{a:08x}-{b:04x}-{c:04x}-{d:04x}-{e:012x}\n"));
}
