//! Open files of every kind that the kernel has.

use crate::chance::Chance;
use crate::contents::mixed;
use crate::raw::call;
use crate::state::KEPT;

/// Files to open, each with its flags: reading, writing or both, appending, without waiting, as a place.
const FILES: [(&std::ffi::CStr, u64); 45] = [
    (c"file", 2),
    (c"file", 0o2001),
    (c"other", 2),
    (c"hard", 0),
    (c"dir", 0o200_000),
    (c"dir", 0o10_000_000),
    (c"link", 0o10_400_000),
    (c"fifo", 0o4002),
    (c"fifo", 0o4000),
    (c"/etc/passwd", 2),
    (c"/", 0o200_000),
    (c"/share", 0o200_000),
    (c"/share/file", 2),
    (c"/share/other", 0o102),
    (c"/share/dir", 0o200_000),
    (c"/dev/shm/x", 0o102),
    (c"/dev/null", 2),
    (c"/dev/zero", 2),
    (c"/dev/full", 2),
    (c"/dev/random", 2),
    (c"/dev/urandom", 0),
    (c"/dev/tty", 2),
    (c"/dev/console", 0o4002),
    (c"/dev/stdin", 0o4000),
    (c"/dev", 0o200_000),
    (c"/proc/self/maps", 0),
    (c"/proc/self/smaps", 0),
    (c"/proc/self/status", 0),
    (c"/proc/self/fd", 0o200_000),
    (c"/proc/self/task", 0o200_000),
    (c"/proc/meminfo", 0),
    (c"/proc", 0o200_000),
    (c"/proc/self/comm", 2),
    (c"/proc/sys/kernel/hostname", 2),
    (c"/proc/locks", 0),
    (c"/proc/net/unix", 0),
    (c"/proc/net/tcp", 0),
    (c"/proc/net/udp6", 0),
    (c"/proc/net/snmp", 0),
    (c"/proc/net/route", 0),
    (c"/proc/net", 0o200_000),
    (c"/sys/class/net", 0o200_000),
    (c"/sys/class/net/lo/statistics/rx_bytes", 0),
    (c"/sys", 0o200_000),
    (c".", 0o20_200_002),
];

/// Makes an open file of any kind, two where they come in pairs.
pub fn open_one(chance: &mut Chance) {
    match chance.below(4) {
        0 | 1 => open_kind(chance.below(FILES.len() as u64), chance),
        _ => open_kind(FILES.len() as u64 + chance.below(KINDS), chance),
    }
}

/// Opens one of each kind.
pub fn open_all(chance: &mut Chance) {
    for kind in 0..FILES.len() as u64 + KINDS {
        open_kind(kind, chance);
    }
}

const KINDS: u64 = 28;

fn open_kind(kind: u64, chance: &mut Chance) {
    if let Some((path, flags)) = FILES.get(kind as usize) {
        // Without waiting: a pipe may have taken the name.
        call(2, [path.as_ptr() as u64, *flags | 0o4000, 0o644]);
        return;
    }
    let mut pair = [0_i32; 2];
    let place = &raw mut pair as u64;
    // Most do not wait: those that do cost a worker time.
    let waits = if chance.once_in(6) { 0 } else { 0o4000 };
    match kind - FILES.len() as u64 {
        0 => call(319, [c"memory".as_ptr() as u64, 2]),
        1 => {
            let sealed = call(319, [c"sealed".as_ptr() as u64, 2]) as u64;
            call(77, [sealed, 20_000]);
            call(72, [sealed, 1033, chance.below(16) & !1])
        }
        2 | 3 => call(293, [place, waits]),
        4 => call(53, [1, 1 | waits, 0, place]),
        5 => call(53, [1, 2 | waits, 0, place]),
        6 => call(53, [1, 5 | waits, 0, place]),
        7 => call(41, [1, 1 | waits, 0]),
        8 => call(41, [1, 2 | waits, 0]),
        9 => listener(waits, b"\x01\0\0abstract"),
        10 => listener(waits, b"\x01\0socket\0"),
        11 => call(291, [0]),
        12 => {
            let set = call(291, [0]) as u64;
            let event = [0xffff_ffff_u32, 1, 0];
            (0..8).map(|_| call(233, [set, 1, any(chance), &raw const event as u64])).max().unwrap_or(0)
        }
        13 => call(290, [chance.below(3), waits | chance.below(2)]),
        14 => {
            let timer = call(283, [chance.below(2), waits]) as u64;
            let value = [0, 1_000_000 * chance.below(2), 0, 1_000_000];
            call(286, [timer, 0, &raw const value as u64, 0])
        }
        15 => {
            let set = chance.next();
            call(289, [-1_i64 as u64, &raw const set as u64, 8, waits])
        }
        16 => {
            let watch = call(294, [waits]) as u64;
            call(254, [watch, c".".as_ptr() as u64, 0xfff]);
            call(254, [watch, c"/share".as_ptr() as u64, 0xfff])
        }
        17 => call(434, [call(39, []) as u64, 0]),
        // Where there is no network, these are errors.
        18 => listener_of(2, 1 | waits, &V4),
        19 => listener_of(10, 1 | waits, &V6),
        20 => {
            let socket = call(41, [2, 1 | waits, 0]) as u64;
            call(42, [socket, V4.as_ptr() as u64, 16])
        }
        21 => bound(2, 2 | waits, &V4),
        22 => bound(10, 2 | waits, &V6),
        23 => call(41, [2, 2 | waits, 1]),
        24 => call(41, [10, 2 | waits, 58]),
        25 => call(41, [2 + 8 * chance.below(2), 3 | waits, 1 + chance.below(255)]),
        26 => call(41, [16, 3 | waits, 0]),
        _ => call(41, [16, 2 | waits, 15]),
    };
}

fn listener(waits: u64, address: &[u8]) -> i64 {
    let socket = call(41, [1, 1 | waits, 0]) as u64;
    call(49, [socket, address.as_ptr() as u64, address.len() as u64]);
    call(50, [socket, 3])
}

/// 127.0.0.1 and ::1, with a port that all share.
const V4: [u8; 16] = [2, 0, 0x1b, 0x58, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0];
const V6: [u8; 28] = {
    let mut bytes = [0; 28];
    (bytes[0], bytes[2], bytes[3], bytes[23]) = (10, 0x1b, 0x58, 1);
    bytes
};

/// A socket of a family and type that has an address, which others may have too.
fn bound(family: u64, kind: u64, address: &[u8]) -> i64 {
    let socket = call(41, [family, kind, 0]) as u64;
    let one = 1_u32;
    call(54, [socket, 1, 2, &raw const one as u64, 4]);
    call(54, [socket, 1, 15, &raw const one as u64, 4]);
    call(49, [socket, address.as_ptr() as u64, address.len() as u64]);
    socket as i64
}

fn listener_of(family: u64, kind: u64, address: &[u8]) -> i64 {
    let socket = bound(family, kind, address);
    call(50, [socket as u64, 3]);
    socket
}

/// A descriptor: mostly one that may be open.
pub fn any(chance: &mut Chance) -> u64 {
    let descriptor = match chance.below(24) {
        0 => u64::MAX,
        1 => chance.below(1000),
        2 => chance.one_of(&[i32::MAX as u64, 1 << 31, -100_i64 as u64, 1 << 32, 1023, 1024, 1 << 20]),
        3 if chance.once_in(8) => mixed(chance),
        _ => chance.below(80),
    };
    if KEPT.contains(&(descriptor & 0xffff_ffff)) { 3 } else { descriptor }
}
