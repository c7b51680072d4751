//! The memory that fuzzed calls are pointed at: pages of every kind, at one address, far from all that the program is.
//!
//! Calls may unmap and protect any of it. A worker that stumbles there when it fills in contents has the page made anew
//! (`handlers`).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::chance::Chance;
use crate::raw::call;

const PAGE: u64 = 4096;
/// Where it begins.
pub const BASE: u64 = 0x10_0000_0000;
/// How much is its own: nothing else is placed here.
pub const SIZE: u64 = 64 << 20;

/// Pages that can be written, by number: the first, and the one behind the last.
const WRITABLE: [(u64, u64); 5] = [(0, 64), (96, 128), (128, 144), (144, 176), (196, 256)];
const READ_ONLY: (u64, u64) = (64, 80);
const NOTHING: (u64, u64) = (80, 96);
const HOLE: (u64, u64) = (176, 192);
/// Pages that may be executed: breakpoints, and nobody writes there.
const CODE: (u64, u64) = (192, 196);
/// 4 MB that large pages fit.
const LARGE: u64 = BASE + (16 << 20);

static MAPPED: [AtomicU64; 16] = [const { AtomicU64::new(0) }; 16];

fn map(pages: (u64, u64), protection: u64, flags: u64, descriptor: u64) {
    let (from, to) = pages;
    call(9, [BASE + from * PAGE, (to - from) * PAGE, protection, flags | 0x10, descriptor, 0]);
}

/// Makes the page of this address anew; whether that went well.
pub fn heal(address: u64) -> bool {
    call(9, [address & !(PAGE - 1), PAGE, 3, 0x32, u64::MAX, 0]) > 0
}

/// Lays all of it out. `memory` is a file in memory, `file` one of the tree.
pub fn prepare(memory: u64, file: u64) {
    const PRIVATE: u64 = 0x22;
    call(11, [BASE, SIZE]);
    WRITABLE.iter().for_each(|&pages| map(pages, 3, PRIVATE, u64::MAX));
    map(READ_ONLY, 1, PRIVATE, u64::MAX);
    map(NOTHING, 0, PRIVATE, u64::MAX);
    map(CODE, 3, PRIVATE, u64::MAX);
    let code = BASE + CODE.0 * PAGE;
    // A page that was mapped two lines above.
    unsafe { std::ptr::write_bytes(code as *mut u8, 0xcc, ((CODE.1 - CODE.0) * PAGE) as usize) };
    call(10, [code, (CODE.1 - CODE.0) * PAGE, 5]);
    map(WRITABLE[1], 3, 1, memory);
    map(WRITABLE[2], 3, 2, file);
    map(WRITABLE[3], 3, 0x21, u64::MAX);
    call(9, [LARGE, 4 << 20, 3, PRIVATE | 0x10, u64::MAX, 0]);
    MAPPED.iter().for_each(|place| place.store(LARGE, Relaxed));
}

/// Whether a range is among the pages that may be executed.
pub fn is_code(address: u64, length: u64) -> bool {
    let (from, to) = (BASE + CODE.0 * PAGE, BASE + CODE.1 * PAGE);
    address >= from && address.checked_add(length).is_some_and(|end| end <= to)
}

/// Whether an address is the arena's.
pub fn contains(address: u64) -> bool {
    (BASE..BASE + SIZE).contains(&address)
}

/// Remembers what a call answered as an address.
pub fn remember(address: u64, chance: &mut Chance) {
    MAPPED[chance.below(16) as usize].store(address, Relaxed);
}

/// An address that a call answered.
pub fn remembered(chance: &mut Chance) -> u64 {
    MAPPED[chance.below(16) as usize].load(Relaxed)
}

fn page_of(pages: (u64, u64), chance: &mut Chance) -> u64 {
    BASE + (pages.0 + chance.below(pages.1 - pages.0)) * PAGE
}

/// A place for contents of this many bytes, and how many of them may be stored: before the end of writable pages in
/// a third of the cases, so that the rest lies on pages of another kind.
pub fn place(bytes: u64, chance: &mut Chance) -> (u64, u64) {
    let pages = chance.one_of(&WRITABLE);
    let end = BASE + pages.1 * PAGE;
    let address = match chance.below(6) {
        0 => end - bytes.min(PAGE),
        1 => end - chance.below(bytes.min(PAGE)).max(1),
        2 => page_of(pages, chance) + PAGE - chance.below(bytes).max(1),
        3 => page_of(pages, chance) + chance.below(PAGE),
        _ => page_of(pages, chance) + chance.below(PAGE / 16) * 8,
    };
    (address, bytes.min(end.saturating_sub(address)))
}

/// Any page of it, mostly; or somewhere else that a program may have something.
pub fn page(chance: &mut Chance) -> u64 {
    match chance.below(12) {
        0 => page_of(READ_ONLY, chance),
        1 => page_of(NOTHING, chance),
        2 => page_of(HOLE, chance),
        3 => page_of(CODE, chance),
        4 => LARGE + chance.below(1024) * PAGE,
        5 => BASE + chance.below(SIZE / PAGE) * PAGE,
        6 | 7 => remembered(chance),
        _ => page_of(chance.one_of(&WRITABLE), chance),
    }
}

/// An address that is none: null, a kernel's, none of the processor's, or pages without the right.
pub fn hostile(chance: &mut Chance) -> u64 {
    match chance.below(14) {
        0 | 1 => 0,
        2 => page_of(READ_ONLY, chance) + chance.below(PAGE),
        3 => page_of(NOTHING, chance) + chance.below(PAGE),
        4 => page_of(HOLE, chance) + chance.below(PAGE),
        5 => page_of(CODE, chance) + chance.below(PAGE),
        6 => 0xffff_8000_0000_0000 + chance.below(1 << 28),
        7 => 0xffff_ffff_8000_0000 + chance.below(1 << 22),
        8 => 0x0000_8000_0000_0000 + chance.below(3) * 0xff8,
        9 => 0x0000_7fff_ffff_f000 - chance.below(3) * 8,
        10 => u64::MAX - chance.below(4200),
        11 => 1 << (chance.below(64)),
        12 => chance.next(),
        _ => chance.below(0x1_1000),
    }
}
