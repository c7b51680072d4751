//! Arguments by their kinds.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use linux_abi::Argument;

use crate::chance::Chance;
use crate::contents::{mixed, pointer};
use crate::table::{Parameter, Row};
use crate::{arena, descriptors, paths};

static NUMBERS: [AtomicU64; 32] = [const { AtomicU64::new(0) }; 32];

/// Remembers a small number that a call answered: a thread, a timer, a watch.
pub fn remember(number: u64, chance: &mut Chance) {
    NUMBERS[8 + chance.below(24) as usize].store(number, Relaxed);
}

/// Remembers a thread's number for good.
pub fn remember_thread(index: usize, number: u64) {
    NUMBERS[index % 8].store(number, Relaxed);
}

/// A number that names something, perhaps.
pub fn number(chance: &mut Chance) -> u64 {
    match chance.below(8) {
        0 => 0,
        1 => 1,
        2 => u64::MAX,
        3 => chance.below(10),
        4 => u64::from(chance.one_of(&[i32::MIN as u32, i32::MAX as u32, u32::MAX, 0xffff])),
        _ => NUMBERS[chance.below(32) as usize].load(Relaxed),
    }
}

/// A length or count: small, about a border, or what nobody has.
pub fn size(chance: &mut Chance) -> u64 {
    const BORDERS: [u64; 12] = [1, 8, 16, 64, 128, 256, 512, 1024, 4096, 8192, 65_536, 1 << 20];
    const NONE: [u64; 9] =
        [0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 1 << 40, 1 << 47, 1 << 62, i64::MAX as u64, 1 << 63, u64::MAX];
    match chance.below(16) {
        0..=2 => chance.below(17),
        3..=6 => chance.below(300),
        7 | 8 => chance.below(6000),
        9..=13 => chance.one_of(&BORDERS) + chance.below(3) - 1,
        14 => chance.below(300_000),
        _ => chance.one_of(&NONE),
    }
}

fn flags(parameter: &Parameter, chance: &mut Chance) -> u64 {
    let mut word = 0;
    if parameter.values.is_empty() || chance.once_in(30) {
        return if chance.once_in(2) { chance.next() } else { 1 << chance.below(32) };
    }
    for _ in 0..1 + chance.below(3) {
        let (value, mask) = parameter.values[chance.below(parameter.values.len() as u64) as usize];
        word = word & !mask | value;
    }
    if chance.once_in(30) { word ^ 1 << chance.below(34) } else { word }
}

/// The pages that calls about memory are told of.
fn range_word(parameter: &Parameter, chance: &mut Chance) -> Option<u64> {
    match parameter.kind {
        Argument::Address | Argument::Pointer => Some(match chance.below(12) {
            0 => 0,
            1 => arena::hostile(chance),
            2 => arena::page(chance) + chance.below(4096),
            _ => arena::page(chance),
        }),
        Argument::Size => Some(match chance.below(12) {
            0 => size(chance),
            1 => chance.below(2048) * 4096,
            2 => (2 << 20) * chance.below(3),
            _ => chance.below(33) * 4096,
        }),
        _ => None,
    }
}

fn one(row: &Row, parameter: &Parameter, chance: &mut Chance) -> u64 {
    if row.family == "memory"
        && let Some(word) = range_word(parameter, chance)
    {
        return word;
    }
    match parameter.kind {
        Argument::None => chance.next(),
        Argument::Descriptor => descriptors::any(chance),
        Argument::Directory if chance.once_in(2) => -100_i64 as u64,
        Argument::Directory => descriptors::any(chance),
        Argument::Path if parameter.name == "name" => paths::name(chance),
        Argument::Path => paths::path(chance),
        Argument::Strings | Argument::Environment => pointer("arguments", row.family, chance),
        Argument::Input | Argument::Output => pointer("buffer", row.family, chance),
        Argument::SignalSet => pointer("set", row.family, chance),
        Argument::TimeSpec => pointer("timeout", row.family, chance),
        Argument::Pointer if row.name == "sigaltstack" => pointer("stack", row.family, chance),
        Argument::Address | Argument::Pointer => pointer(parameter.name, row.family, chance),
        // Sets of signals have one size, and structures that grow one to begin with.
        Argument::Size if parameter.name == "size" && !chance.once_in(4) => chance.one_of(&[8, 8, 8, 24, 88, 64]),
        Argument::Size => size(chance),
        Argument::Count if row.name == "close_range" => descriptors::any(chance),
        Argument::Count => size(chance),
        Argument::Signed | Argument::Owner => number(chance),
        Argument::Offset | Argument::MapOffset => match chance.below(6) {
            0 => size(chance),
            1 => chance.next(),
            2 => arena::page(chance),
            3 => chance.below(40) * 4096,
            _ => chance.below(10_000),
        },
        Argument::Word if parameter.name == "argument" && chance.once_in(2) => pointer("argument", row.family, chance),
        Argument::Hexadecimal | Argument::Word => mixed(chance),
        Argument::Mode | Argument::CreationMode if chance.once_in(6) => chance.next(),
        Argument::Mode | Argument::CreationMode => chance.one_of(&[0o777, 0o644, 0, 0o10644, 0o140777, 0o20666]),
        Argument::Signal => chance.below(66),
        Argument::Flags(_) | Argument::LongFlags(_) => flags(parameter, chance),
    }
}

/// Number and arguments of a call to this row.
pub fn words(row: &Row, chance: &mut Chance) -> [u64; 7] {
    let mut words = [row.number, 0, 0, 0, 0, 0, 0];
    for (word, parameter) in words[1..].iter_mut().zip(&row.parameters) {
        *word = one(row, parameter, chance);
    }
    words
}

/// Another value of one argument.
pub fn vary(row: &Row, words: &mut [u64; 7], chance: &mut Chance) {
    if !row.parameters.is_empty() {
        let index = chance.below(row.parameters.len() as u64) as usize;
        words[1 + index] = one(row, &row.parameters[index], chance);
    }
}
