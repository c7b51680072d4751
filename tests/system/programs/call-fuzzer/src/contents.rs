//! What lies where a pointer points: the structure that the argument's name tells of, or a mixture of words that mean
//! something to one call or another. A name nobody knows here gets the mixture.

use std::ptr::write_volatile;

use crate::arena;
use crate::arguments::{self, size};
use crate::chance::Chance;
use crate::{descriptors, handlers, paths};

/// Writes words one behind the other, as far as there is room.
struct Words<'a> {
    at: u64,
    end: u64,
    chance: &'a mut Chance,
}

impl Words<'_> {
    fn byte(&mut self, byte: u8) {
        if self.at < self.end {
            // A page of the arena that `place` said is writable, or `handlers` makes it so.
            unsafe { write_volatile(self.at as *mut u8, byte) };
            self.at += 1;
        }
    }

    fn half(&mut self, value: u64) {
        value.to_le_bytes()[..4].iter().for_each(|&byte| self.byte(byte));
    }

    fn word(&mut self, value: u64) {
        if self.at.is_multiple_of(8) && self.at + 8 <= self.end {
            // As above.
            unsafe { write_volatile(self.at as *mut u64, value) };
            self.at += 8;
        } else {
            value.to_le_bytes().iter().for_each(|&byte| self.byte(byte));
        }
    }

    fn words(&mut self, values: &[u64]) {
        values.iter().for_each(|&value| self.word(value));
    }

    fn mixture(&mut self, count: u64) {
        for _ in 0..count {
            let word = mixed(self.chance);
            self.word(word);
        }
    }
}

/// A word that could be many things.
pub fn mixed(chance: &mut Chance) -> u64 {
    match chance.below(13) {
        0 | 1 => 0,
        2 => chance.below(70),
        3 => descriptors::any(chance),
        4 | 5 => arena::place(64, chance).0,
        6 => arena::hostile(chance),
        7 => size(chance),
        8 => u64::MAX,
        9 => 1 << chance.below(64),
        10 => descriptors::any(chance) | chance.next() << 32,
        11 => arguments::number(chance),
        _ => chance.next(),
    }
}

/// An address for an argument of this name, in a call of this family.
pub fn pointer(name: &str, family: &str, chance: &mut Chance) -> u64 {
    match chance.below(20) {
        0..=2 => arena::hostile(chance),
        3 => arena::remembered(chance).wrapping_add(chance.below(4096)),
        _ => filled(name, family, 3, chance),
    }
}

/// A place with contents. Structures point at others to this depth.
fn filled(name: &str, family: &str, depth: u64, chance: &mut Chance) -> u64 {
    let (address, room) = arena::place(512, chance);
    let mut words = Words { at: address, end: address + room, chance };
    // Now and then a structure is not what it should be.
    if depth == 0 || words.chance.once_in(12) {
        words.mixture(16);
    } else {
        fill(name, family, depth, &mut words);
    }
    address
}

fn inner(name: &str, depth: u64, chance: &mut Chance) -> u64 {
    if chance.once_in(8) { arena::hostile(chance) } else { filled(name, "socket", depth - 1, chance) }
}

fn fill(name: &str, family: &str, depth: u64, words: &mut Words) {
    match (name, family) {
        ("vectors", _) => (0..words.chance.below(20)).for_each(|_| vector(words, depth)),
        ("message" | "messages", _) => (0..1 + words.chance.below(4)).for_each(|_| message(words, depth)),
        ("control", _) => (0..1 + words.chance.below(2)).for_each(|_| control(words)),
        ("address", "socket") => address(words),
        ("value", "socket") => option(words),
        ("buffer", "socket") => packet(words),
        ("event", "time") => notice(words),
        ("event" | "events", _) => (0..words.chance.below(6)).for_each(|_| event(words)),
        ("descriptors", _) => (0..words.chance.below(40)).for_each(|_| polled(words)),
        ("read" | "write" | "except", _) => {
            let sparse = words.chance.next() & words.chance.next() & words.chance.next();
            words.words(&[sparse, 0, 0, 0]);
        }
        ("timeout" | "request" | "time" | "times" | "value" | "limit" | "new" | "interval" | "zone", _) => {
            (0..4).for_each(|_| moment(words));
        }
        ("action", _) => action(words),
        ("stack", "signal") => {
            let (place, flags, bytes) = (arena::page(words.chance), bits(words.chance), size(words.chance));
            words.words(&[place, flags & 0x8000_0003, bytes]);
        }
        ("word" | "second" | "head", _) => {
            let value = words.chance.one_of(&[0, 1, 2, 0x8000_0000, 0x4000_0000, 0xffff_ffff]);
            let value = if words.chance.once_in(3) { arguments::number(words.chance) } else { value };
            words.words(&[value, value]);
            words.mixture(3);
        }
        ("mask", "descriptor") => {
            let set = filled("set", family, 0, words.chance);
            words.words(&[set, 8]);
        }
        ("set" | "mask", _) => {
            let set = set(words.chance);
            words.words(&[set, 0]);
        }
        ("how", _) => {
            let (flags, mode, resolve) = (bits(words.chance), bits(words.chance) & 0o7777, bits(words.chance) & 0x3f);
            words.words(&[flags & 0o37_777_777, if flags & 0o100 == 0 { 0 } else { mode }, resolve]);
        }
        ("argument", _) => record(words),
        ("length" | "size" | "parameter" | "input_offset" | "output_offset" | "offset", _) => {
            let value = size(words.chance) % 200_000;
            words.word(value);
        }
        ("header", _) => words.words(&[0x2008_0522, 0]),
        ("information", _) => {
            let (signal, code) = (words.chance.below(66), words.chance.next());
            words.words(&[signal, code]);
            words.mixture(14);
        }
        ("arguments" | "environment", _) => {
            for _ in 0..words.chance.below(6) {
                let text = paths::path(words.chance);
                words.word(text);
            }
            words.word(0);
        }
        _ => {
            let count = 1 + words.chance.below(32);
            words.mixture(count);
        }
    }
}

/// A few bits of a word.
fn bits(chance: &mut Chance) -> u64 {
    (0..chance.below(4)).fold(0, |bits, _| bits | 1 << chance.below(32))
}

fn vector(words: &mut Words, depth: u64) {
    let base = inner("buffer", depth, words.chance);
    let length = if words.chance.once_in(10) { size(words.chance) } else { words.chance.below(9000) };
    words.words(&[base, length]);
}

/// `struct msghdr`, and the length that recvmmsg(2) puts behind it.
fn message(words: &mut Words, depth: u64) {
    let (name, vectors) = (inner("address", depth, words.chance), inner("vectors", depth, words.chance));
    let control = if words.chance.once_in(2) { 0 } else { inner("control", depth, words.chance) };
    let (named, count, bytes) = (words.chance.below(112), words.chance.below(20), 16 + words.chance.below(100));
    words.words(&[name, named, vectors, count, control, bytes, 0, 0]);
}

/// What goes along with a message over IP: PKTINFO, TTL, TOS, UDP_SEGMENT, with contents of chance.
fn control_of_packet(words: &mut Words) {
    let (length, level) = (16 + words.chance.below(24), words.chance.one_of(&[0, 41, 17, 1, 6, 255]));
    let kind = words.chance.one_of(&[1, 2, 8, 11, 29, 50, 52, 67, 103]);
    words.word(length);
    words.half(level);
    words.half(kind);
    words.mixture(4);
}

/// SCM_RIGHTS with some descriptors, or SCM_CREDENTIALS.
fn control(words: &mut Words) {
    if words.chance.once_in(3) {
        return control_of_packet(words);
    }
    let count = words.chance.below(8);
    let length = if words.chance.once_in(6) { words.chance.next() } else { 16 + count * 4 };
    words.word(length);
    let (level, kind) = (u64::from(!words.chance.once_in(8)), words.chance.below(4));
    words.half(level);
    words.half(kind.max(1));
    for _ in 0..count + count % 2 {
        let descriptor = descriptors::any(words.chance);
        words.half(descriptor);
    }
}

/// The value of an option: a number, the name of an interface, a group.
fn option(words: &mut Words) {
    match words.chance.below(6) {
        0 => b"lo\0\0cubic\0".iter().for_each(|&byte| words.byte(byte)),
        1 => [239, 1, 2, 3, 127, 0, 0, 1].iter().for_each(|&byte| words.byte(byte)),
        2 => words.mixture(4),
        _ => {
            let value = words.chance.one_of(&[0, 1, 2, 3, 255, 1500, 65_536, 0x7fff_ffff, 0xffff_ffff]);
            words.half(value);
            words.half(value);
        }
    }
}

/// What a datagram may say: a request of rtnetlink, an echo, or anything.
fn packet(words: &mut Words) {
    match words.chance.below(4) {
        0 => {
            let (length, kind) = (words.chance.one_of(&[17, 20, 28, 32, 36, 15, 70_000]), 16 + words.chance.below(80));
            words.half(length);
            let flags = words.chance.one_of(&[1, 5, 0x301, 0x305, 0]);
            words.half(kind | flags << 16);
            words.mixture(2);
            let family = words.chance.one_of(&[0, 2, 10, 16]);
            words.word(family);
            words.mixture(8);
        }
        1 => [8, 0, 0, 0, 0, 0, 0, 1, b'e', b'c', b'h', b'o'].iter().for_each(|&byte| words.byte(byte)),
        _ => {
            let count = words.chance.below(32);
            words.mixture(count);
        }
    }
}

/// `struct sockaddr_in`, `struct sockaddr_in6`, `struct sockaddr_nl`: mostly of this machine.
fn address_of_network(words: &mut Words) {
    let family = words.chance.one_of(&[2, 10, 16]);
    words.byte(family);
    words.byte(0);
    let port = words.chance.one_of(&[7000_u16, 7000, 0, 80, 40_000]);
    port.to_be_bytes().iter().for_each(|&byte| words.byte(byte));
    let ends: &[u8] = match family {
        2 => words.chance.one_of(&[&[127, 0, 0, 1][..], &[0; 4], &[10, 1, 2, 3], &[255; 4], &[239, 1, 2, 3]]),
        10 => words.chance.one_of(&[
            &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1][..],
            &[0; 20],
            &[0, 0, 0, 0, 0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1],
        ]),
        _ => words.chance.one_of(&[&[0; 8][..], &[1, 0, 0, 0, 0, 0, 0, 0], &[0, 0, 0, 0, 1, 0, 0, 0]]),
    };
    ends.iter().for_each(|&byte| words.byte(byte));
    words.mixture(2);
}

/// `struct sockaddr_un`, or one of a network.
fn address(words: &mut Words) {
    if words.chance.once_in(2) {
        return address_of_network(words);
    }
    let family = if words.chance.once_in(8) { words.chance.below(20) } else { 1 };
    words.byte(family as u8);
    words.byte(0);
    let name: &[u8] = words.chance.one_of(&[
        &b"socket\0"[..],
        b"other\0",
        b"\0abstract",
        b"\0",
        b"",
        b"dir/socket\0",
        b"file\0",
        b"/share/socket\0",
        b"\0\0\xff",
    ]);
    name.iter().for_each(|&byte| words.byte(byte));
    for _ in 0..words.chance.below(110) {
        words.byte(b'a');
    }
}

/// `struct sigevent`.
fn notice(words: &mut Words) {
    let (value, signal, notify) = (mixed(words.chance), words.chance.below(66), words.chance.below(6));
    let thread = arguments::number(words.chance);
    words.word(value);
    words.half(signal);
    words.half(notify);
    words.half(thread);
}

/// `struct epoll_event`.
fn event(words: &mut Words) {
    let (events, high) = (bits(words.chance), words.chance.below(16));
    words.half(events & 0x3fff | high << 28);
    let data = mixed(words.chance);
    words.word(data);
}

/// `struct pollfd`.
fn polled(words: &mut Words) {
    let (descriptor, events) = (descriptors::any(words.chance), bits(words.chance));
    words.half(descriptor);
    words.half(events & 0xffff);
}

/// A number of seconds or of parts of one.
fn moment(words: &mut Words) {
    let number = match words.chance.below(12) {
        0..=3 => 0,
        4 => 1_000_000 + words.chance.below(2),
        5 | 6 => 1_000_000 + words.chance.below(1 << 24),
        7 => 999_999_999 + words.chance.below(2),
        8 => u64::MAX,
        9 => i64::MAX as u64,
        10 => words.chance.one_of(&[0x3fff_ffff, 0x3fff_fffe]),
        _ => mixed(words.chance),
    };
    words.word(number);
}

/// `struct sigaction`, as the kernel has it.
fn action(words: &mut Words) {
    let handler = match words.chance.below(60) {
        0 => arena::hostile(words.chance),
        1 => 0,
        2..=4 => 1,
        _ => handlers::ordinary(),
    };
    let reset = u64::from(words.chance.once_in(30)) << 31;
    let flags = bits(words.chance) & 0x5800_0007 | 0x0400_0004 | reset;
    let restorer = if words.chance.once_in(40) { arena::hostile(words.chance) } else { crate::raw::restore() };
    let mask = set(words.chance);
    words.words(&[handler, flags, restorer, mask]);
}

/// A set of signals, mostly without those that the fuzzer needs.
fn set(chance: &mut Chance) -> u64 {
    let set = match chance.below(4) {
        0 => 0,
        1 => u64::MAX,
        2 => 1 << chance.below(64),
        _ => chance.next(),
    };
    if chance.once_in(100) { set } else { set & !handlers::UNBLOCKED }
}

/// `struct flock`; as good as any for other records.
fn record(words: &mut Words) {
    let (kind, origin) = (words.chance.below(4), words.chance.below(4));
    let (start, length) = (words.chance.below(100), words.chance.below(100));
    words.words(&[kind | origin << 16, start, if length < 10 { u64::MAX } else { length }, 0]);
}
