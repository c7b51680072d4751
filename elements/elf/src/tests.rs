//! Tests on files made here, and on random damage to them.
extern crate std;

use alloc::{format, string::ToString, vec, vec::Vec};

use crate::{Error, Kind, Plan, Rights, Script, Segment};

/// One program header.
#[derive(Clone, Copy)]
struct Raw {
    kind: u32,
    flags: u32,
    offset: u64,
    address: u64,
    file: u64,
    memory: u64,
    alignment: u64,
}

const TEXT: Raw =
    Raw { kind: 1, flags: 5, offset: 0, address: 0x40_0000, file: 0x1000, memory: 0x1000, alignment: 4096 };
const DATA: Raw =
    Raw { kind: 1, flags: 6, offset: 0x1010, address: 0x40_2010, file: 0x20, memory: 0x3000, alignment: 4096 };

fn file(kind: u16, headers: &[Raw]) -> Vec<u8> {
    let mut bytes = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for half in [kind, 62] {
        bytes.extend(half.to_le_bytes());
    }
    bytes.extend(1_u32.to_le_bytes());
    for word in [0x40_0100_u64, 64, 0] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(0_u32.to_le_bytes());
    for half in [64, 56, headers.len() as u16, 64, 0, 0] {
        bytes.extend(half.to_le_bytes());
    }
    for header in headers {
        bytes.extend(header.kind.to_le_bytes());
        bytes.extend(header.flags.to_le_bytes());
        for word in [header.offset, header.address, header.address, header.file, header.memory, header.alignment] {
            bytes.extend(word.to_le_bytes());
        }
    }
    bytes.resize(0x2000, 0);
    bytes
}

fn plan(bytes: &[u8]) -> Result<Plan, Error> {
    Plan::read(bytes.len() as u64, &mut |offset: u64, buffer: &mut [u8]| {
        let Some(start) = usize::try_from(offset).ok() else { return false };
        let Some(part) = start.checked_add(buffer.len()).and_then(|end| bytes.get(start..end)) else { return false };
        buffer.copy_from_slice(part);
        true
    })
}

#[test]
fn a_program_becomes_a_plan() {
    let plan = plan(&file(2, &[TEXT, DATA])).expect("it is well formed");
    assert_eq!(plan.kind, Kind::Fixed);
    assert_eq!(plan.headers, Some(0x40_0040));
    assert_eq!((plan.start(), plan.end()), (0x40_0000, 0x40_6000));
    let rights = Rights { read: true, write: true, execute: false };
    let data = Segment { address: 0x40_2010, memory_length: 0x3000, offset: 0x1010, file_length: 0x20, rights };
    assert_eq!(plan.segments[1], data);
    assert_eq!((data.page_start(), data.file_page_end(), data.page_end()), (0x40_2000, 0x40_3000, 0x40_6000));
}

#[test]
fn a_position_independent_program_keeps_its_alignment() {
    let aligned = Raw { alignment: 1 << 21, ..DATA };
    let odd = Raw { alignment: 3, ..TEXT };
    assert_eq!(plan(&file(3, &[odd, aligned])).map(|plan| plan.kind), Ok(Kind::Relocatable { alignment: 1 << 21 }));
    assert_eq!(plan(&file(3, &[odd])).map(|plan| plan.kind), Ok(Kind::Relocatable { alignment: 4096 }));
}

#[test]
fn an_interpreter_is_named() {
    let mut bytes = file(3, &[TEXT, Raw { kind: 3, offset: 0x1800, file: 9, ..DATA }]);
    bytes[0x1800..0x1809].copy_from_slice(b"/lib/ld.\0");
    assert_eq!(plan(&bytes).map(|plan| plan.interpreter), Ok(Some(b"/lib/ld.".to_vec())));
    bytes[0x1808] = b'x';
    assert_eq!(plan(&bytes), Err(Error::Interpreter));
}

#[test]
fn what_is_wrong_is_named() {
    let good = file(2, &[TEXT, DATA]);
    let with = |at: usize, patch: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + patch.len()].copy_from_slice(patch);
        plan(&bytes)
    };
    assert_eq!(plan(b""), Err(Error::NotElf));
    assert_eq!(plan(b"hello"), Err(Error::NotElf));
    assert_eq!(plan(&good[..40]), Err(Error::ShortHeader));
    assert_eq!(plan(&good[..100]), Err(Error::HeadersOutside));
    assert_eq!(with(4, &[1]), Err(Error::Bits32(62)));
    assert_eq!(with(5, &[2]), Err(Error::BigEndian));
    assert_eq!(with(18, &[183]), Err(Error::Machine(183)));
    assert_eq!(with(16, &[1]), Err(Error::NotExecutable(1)));
    assert_eq!(with(54, &[55]), Err(Error::HeaderSize));
    assert_eq!(with(56, &[0]), Err(Error::NoSegments));
    assert_eq!(with(32, &[0xff; 8]), Err(Error::HeadersOutside));
    assert_eq!(with(24, &[0; 8]), Err(Error::Entry));
    assert_eq!(plan(&good[..0x1020]), Err(Error::Truncated { needed: 0x1030, length: 0x1020 }));
    assert!(Error::Machine(183).to_string().contains("AArch64"));
}

#[test]
fn impossible_segments_are_refused() {
    let cases = [
        (Raw { file: 0x4000, ..DATA }, Error::LargerThanMemory),
        (Raw { offset: 0x1011, ..DATA }, Error::Misaligned),
        (Raw { offset: u64::MAX - 0xf, ..DATA }, Error::Overflow),
        (Raw { address: u64::MAX - 0xfef, ..DATA }, Error::Overflow),
        (Raw { address: (1 << 63) + 0x10, ..DATA }, Error::Overflow),
        (Raw { memory: u64::MAX, ..DATA }, Error::Overflow),
        (Raw { address: 0x40_0010, ..DATA }, Error::Overlap),
        (Raw { address: 0x10, ..DATA }, Error::Overlap),
    ];
    for (data, error) in cases {
        assert_eq!(plan(&file(2, &[TEXT, data])), Err(error));
    }
}

/// A small generator of repeatable noise (xorshift64).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[test]
fn damaged_headers_never_break_the_promises_of_a_plan() {
    let good = file(3, &[TEXT, DATA, Raw { kind: 3, offset: 0x1800, file: 9, ..DATA }]);
    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    for _ in 0..if cfg!(miri) { 100 } else { 200_000 } {
        let mut bytes = good.clone();
        for _ in 0..1 + noise.next() % 4 {
            let at = (noise.next() % 240) as usize;
            bytes[at] = [0, 0xff, 0x7f, 0x80, noise.next() as u8][(noise.next() % 5) as usize];
        }
        bytes.truncate((noise.next() % 0x2100) as usize);
        let Ok(plan) = plan(&bytes) else { continue };
        assert!(!plan.segments.is_empty());
        for segment in &plan.segments {
            assert!(segment.offset.checked_add(segment.file_length).is_some());
            assert!(segment.file_length == 0 || segment.offset + segment.file_length <= bytes.len() as u64);
            assert!(segment.page_end() > segment.page_start() && segment.file_page_end() <= segment.page_end());
        }
        assert!(plan.segments.is_sorted_by(|one, next| one.page_end() <= next.page_start()));
    }
}

#[test]
fn scripts_name_their_interpreter() {
    let parse = |text: &'static str| {
        let text_of = |bytes| std::string::String::from_utf8_lossy(bytes).into_owned();
        Script::parse(text.as_bytes())
            .map(|script| format!("{}|{}", text_of(script.interpreter), script.argument.map_or("-".into(), text_of)))
    };
    assert_eq!(parse("#!/bin/sh\necho"), Some("/bin/sh|-".to_string()));
    assert_eq!(parse("#! \t/bin/awk -f x \nrest"), Some("/bin/awk|-f x".to_string()));
    assert_eq!(parse("#!/bin/sh"), Some("/bin/sh|-".to_string()));
    assert_eq!(parse("#!\n"), None);
    assert_eq!(parse("#!   "), None);
    assert_eq!(parse("echo"), None);
    let mut long = b"#!/".to_vec();
    long.resize(300, b'x');
    assert_eq!(Script::parse(&long), None);
}
