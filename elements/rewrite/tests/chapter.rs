//! The listing in the book's chapter: three sites before and after. `WHITTLE_BLESS=1` writes it anew.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use iced_x86::{Decoder, DecoderOptions, Formatter, GasFormatter};
use rewrite::{Entry, Jump, Kind, Plan, Room, Site, Target};

const LISTING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/listings/rewritten.txt");
/// Where the code is, and where the kernel is entered.
const CODE: u64 = 0x7f00_0010_8000;
const ENTRY: Jump = Jump { to: Target::Address(0x7fff_e000_1000), masked: false };

/// What it is, its bytes, where its `syscall` is, and the number, if that is always the same.
type Example = (&'static str, &'static [u8], usize, Option<u32>);

const EXAMPLES: [Example; 3] = [
    ("Over the number: getpid(2), as in glibc", &[0xb8, 39, 0, 0, 0, 0x0f, 0x05, 0xc3], 5, Some(39)),
    (
        "Before: a wrapper that moves its arguments last",
        &[0x48, 0x89, 0xf7, 0x48, 0x89, 0xd6, 0x48, 0x89, 0xca, 0x0f, 0x05, 0xc3],
        9,
        None,
    ),
    ("Behind: a loop comes here by a jump", &[0xeb, 0, 0x0f, 0x05, 0x48, 0x85, 0xc0, 0xc3], 2, None),
];

/// A line for each instruction, and for each byte that is none.
fn lines(code: &[u8], address: u64, out: &mut String) {
    let mut formatter = GasFormatter::new();
    let mut at = 0;
    while at < code.len() {
        let (here, mut text) = (address + at as u64, String::new());
        let instruction = Decoder::with_ip(64, &code[at..], here, DecoderOptions::NONE).decode();
        let length = if instruction.is_invalid() {
            text.push_str("(faults)");
            1
        } else {
            formatter.format(&instruction, &mut text);
            instruction.len()
        };
        let bytes: Vec<_> = code[at..at + length].iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(out, "  {here:x}  {:29}  {text}", bytes.join(" ")).unwrap();
        at += length;
    }
}

fn example((name, bytes, at, number): Example, out: &mut String) -> Kind {
    let site = Site { code: bytes, address: CODE, at, number, known: Some(0) };
    let plan = Plan::of(&site).expect("it can be rewritten");
    let free = 0x7eff_f000_0000..0x7f00_0000_0000;
    let place = plan.place(&Room { free, length: plan.stub_length(ENTRY.length()) }).expect("there is room");
    writeln!(out, "{name}\n").unwrap();
    lines(bytes, CODE, out);
    let mut after = bytes.to_vec();
    let first = (plan.start() - CODE) as usize;
    plan.write(place, &mut after[first..first + plan.bytes().len()]);
    out.push_str("\nbecomes\n\n");
    lines(&after, CODE, out);
    out.push_str("\nand its stub is\n\n");
    lines(&plan.stub(place, &ENTRY), place, out);
    plan.kind()
}

#[test]
fn the_listing_is_what_is_written() {
    let mut text = String::new();
    let kinds = EXAMPLES.map(|each| {
        if !text.is_empty() {
            text.push('\n');
        }
        example(each, &mut text)
    });
    assert_eq!(kinds, [Kind::Number, Kind::Before, Kind::Behind]);
    if std::env::var_os("WHITTLE_BLESS").is_some() {
        fs::write(LISTING, &text).unwrap();
    }
    let listing = fs::read_to_string(Path::new(LISTING)).unwrap_or_default();
    assert_eq!(listing, text, "WHITTLE_BLESS=1 writes {LISTING} anew");
}
