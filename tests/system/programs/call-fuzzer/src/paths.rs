//! Paths and names: those that are there, those that cannot be, and what leads in circles.

use std::ptr::write_volatile;

use crate::arena;
use crate::chance::Chance;

/// The directory that a round works in.
pub const HOME: &[u8] = b"/fuzz\0";

const PATHS: [&[u8]; 64] = [
    b"file",
    b"file",
    b"other",
    b"dir",
    b"dir",
    b"dir/file",
    b"dir/sub",
    b"dir/sub/x",
    b"link",
    b"loop",
    b"fifo",
    b"socket",
    b"hard",
    b"missing",
    b"missing/x",
    b"file/x",
    b"dir/",
    b"dir/../file",
    b"./././file",
    b"",
    b".",
    b"..",
    b"/",
    b"//fuzz///file",
    b"dangling",
    b"up/fuzz/dir",
    b"script",
    b"/fuzz",
    b"/share",
    b"/share/file",
    b"/share/dir",
    b"/share/dir/x",
    b"/share/other",
    b"/share/link",
    b"/dev",
    b"/dev/null",
    b"/dev/zero",
    b"/dev/full",
    b"/dev/urandom",
    b"/dev/tty",
    b"/dev/shm/x",
    b"/dev/shm/y",
    b"/proc",
    b"/proc/self/maps",
    b"/proc/self/smaps",
    b"/proc/self/status",
    b"/proc/self/fd",
    b"/proc/self/fdinfo",
    b"/proc/self/task",
    b"/proc/self/cwd",
    b"/proc/self/root/fuzz/file",
    b"/proc/self/cwd/dir",
    b"/proc/self/comm",
    b"/proc/thread-self/stat",
    b"/proc/sys/kernel/hostname",
    b"/proc/sys/fs/pipe-max-size",
    b"/proc/locks",
    b"/proc/net/unix",
    b"/sys/devices",
    b"/etc/passwd",
    b"/etc",
    b"/usr/lib",
    b"/dev/shm",
    b"/proc/self/environ",
];

const NAMES: [&[u8]; 10] = [
    b"user.a",
    b"user.b",
    b"trusted.c",
    b"security.d",
    b"system.posix_acl_access",
    b"user.",
    b"name",
    b"",
    b"/queue",
    b"user.whatever-long-name-this-has-been-given",
];

/// Stores bytes and the NUL behind them, before the end of a page now and then.
fn store(bytes: &[u8], behind: Option<u64>, chance: &mut Chance) -> u64 {
    let mut digits = [0_u8; 8];
    let mut tail = 0;
    if let Some(number) = behind {
        digits[0] = b'/';
        digits[1] = b'0' + (number / 100 % 10) as u8;
        digits[2] = b'0' + (number / 10 % 10) as u8;
        digits[3] = b'0' + (number % 10) as u8;
        // No zeros before the number.
        let first = (1..3).find(|&at| digits[at] != b'0').unwrap_or(3);
        digits.copy_within(first..4, 1);
        tail = 5 - first;
    }
    let whole = (bytes.len() + tail + 1) as u64;
    let (address, room) = arena::place(whole, chance);
    let all = bytes.iter().chain(&digits[..tail]).chain(&[0]);
    for (at, &byte) in all.enumerate().take(room as usize) {
        // A page of the arena, see `arena::place`.
        unsafe { write_volatile((address + at as u64) as *mut u8, byte) };
    }
    address
}

/// A path's address.
pub fn path(chance: &mut Chance) -> u64 {
    match chance.below(24) {
        0 => arena::hostile(chance),
        1 => arena::place(100, chance).0,
        2 => store(b"/proc/self/fd", Some(chance.below(70)), chance),
        3 => store(b"/proc/self/fdinfo", Some(chance.below(70)), chance),
        4 => store(b"/proc/self/task", Some(chance.below(9)), chance),
        5 => long(chance),
        6 => random(chance),
        _ => store(chance.one_of(&PATHS), None, chance),
    }
}

/// A name's address.
pub fn name(chance: &mut Chance) -> u64 {
    match chance.below(12) {
        0 => arena::hostile(chance),
        1 => long(chance),
        2 => random(chance),
        _ => store(chance.one_of(&NAMES), None, chance),
    }
}

/// About as long as a name or a path may be.
fn long(chance: &mut Chance) -> u64 {
    let mut bytes = [b'a'; 4200];
    let length = chance.one_of(&[254, 255, 256, 257, 4094, 4095, 4096, 4150]);
    let step = chance.one_of(&[2, 3, 5, 200, 255, 256, 5000]);
    let parent = chance.once_in(3);
    for at in (step - 1..length).step_by(step) {
        bytes[at] = b'/';
        if parent && step == 3 {
            bytes[at - 1] = b'.';
            bytes[at - 2] = b'.';
        }
    }
    store(&bytes[..length], None, chance)
}

fn random(chance: &mut Chance) -> u64 {
    let bytes = chance.next().to_le_bytes();
    let length = chance.below(8) as usize;
    store(&bytes[..length], None, chance)
}
