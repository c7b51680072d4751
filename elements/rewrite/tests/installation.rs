//! The plans for all system calls in the programs and libraries of this machine, against a decoder that knows every
//! instruction and begins where functions do (`.eh_frame`).
//!
//! The C library and the loader always; with WHITTLE_TEST_ALL everything in the folders below.

mod decoder;

use std::collections::BTreeMap;
use std::path::Path;

use decoder::{Functions, Text, instructions, mistake};
use iced_x86::Code;
use rewrite::{Kind, Left, Plan, Site};

/// Bytes before and behind a site that a kernel would look at.
const AROUND: usize = 96;

/// How sites were found.
#[derive(Default)]
struct Found {
    kinds: BTreeMap<Kind, usize>,
    left: BTreeMap<Left, usize>,
    /// Pairs of bytes that are no instruction, as the other decoder sees it. They never trap, so nobody asks for a
    /// plan.
    pieces: usize,
    wrong: Vec<String>,
}

fn look(path: &Path, found: &mut Found) {
    decoder::each_text(path, |_, text, functions| {
        let bytes = text.bytes;
        for at in (0..bytes.len().saturating_sub(1)).filter(|&at| bytes[at..at + 2] == [0x0f, 0x05]) {
            look_at(path, text, functions, at, found);
        }
    });
}

fn look_at(path: &Path, text: &Text<'_>, functions: &Functions, at: usize, found: &mut Found) {
    let address = text.address + at as u64;
    let function = functions.range(..=address).next_back().filter(|(_, end)| **end > address);
    let all = match function {
        Some((from, _)) => instructions(text, *from, address, Code::Syscall),
        // Hand-written, or another compiler's: from some way before, as readings are in step after a few.
        None => instructions(text, address.saturating_sub(240).max(text.address), address, Code::Syscall),
    };
    let first = at.saturating_sub(AROUND);
    let code = &text.bytes[first..(at + AROUND).min(text.bytes.len())];
    let number = code.get((at - first).wrapping_sub(4)..at - first).and_then(|bytes| bytes.first_chunk());
    let number = number.map(|bytes| u32::from_le_bytes(*bytes));
    let site = Site { code, address: text.address + first as u64, at: at - first, number, known: None };
    match (Plan::of(&site), all) {
        (_, None) => found.pieces += 1,
        (Ok(plan), Some(all)) => {
            *found.kinds.entry(plan.kind()).or_default() += 1;
            if let Some(mistake) = mistake(&plan, &all) {
                found.wrong.push(format!("{} {address:#x}: {mistake}", path.display()));
            }
        }
        (Err(left), Some(_)) => *found.left.entry(left).or_default() += 1,
    }
}

#[test]
fn plans_are_right_for_what_is_installed() {
    let paths = decoder::paths();
    let mut found = Found::default();
    paths.iter().for_each(|path| look(path, &mut found));
    let patched: usize = found.kinds.values().sum();
    eprintln!(
        "{} files: {patched} sites have a plan {:?}, {:?} are left; {} pieces of other instructions",
        paths.len(),
        found.kinds,
        found.left,
        found.pieces
    );
    assert_eq!(found.wrong, Vec::<String>::new());
    let left: usize = found.left.values().sum();
    assert!(patched > 300 && patched > 20 * left, "{patched} have a plan, and {left} have none");
}
