//! The plans for all system calls in the programs and libraries of this machine, against a decoder that knows every
//! instruction and begins where functions do (`.eh_frame`).
//!
//! The C library and the loader always; with WHITTLE_TEST_ALL everything in the folders below.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use gimli::{BaseAddresses, CieOrFde, EhFrame, LittleEndian, UnwindSection};
use iced_x86::{Code, Decoder, DecoderOptions, FlowControl, Instruction, OpKind, Register};
use object::{Architecture, Object, ObjectKind, ObjectSection, SectionKind};
use rewrite::{Kind, Left, Plan, Site};

const SOME: [&str; 3] = ["/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2", "/bin/busybox"];
const FOLDERS: [&str; 6] = ["/usr/bin", "/usr/sbin", "/usr/lib", "/usr/libexec", "/usr/local", "/opt"];

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

/// A section of code, and its address.
struct Text<'a> {
    address: u64,
    bytes: &'a [u8],
}

/// Where functions begin and end, by their start.
fn functions(elf: &object::File<'_>) -> BTreeMap<u64, u64> {
    let mut found = BTreeMap::new();
    let Some(section) = elf.section_by_name(".eh_frame") else { return found };
    let Ok(data) = section.uncompressed_data() else { return found };
    let frames = EhFrame::new(&data, LittleEndian);
    let text = elf.section_by_name(".text").map_or(0, |text| text.address());
    let bases = BaseAddresses::default().set_eh_frame(section.address()).set_text(text);
    let mut entries = frames.entries(&bases);
    while let Ok(Some(entry)) = entries.next() {
        if let CieOrFde::Fde(partial) = entry
            && let Ok(entry) = partial.parse(|_, bases, offset| frames.cie_from_offset(bases, offset))
        {
            // That of a signal's handler's return begins a byte early, for who looks before the address of a call.
            let early = u64::from(entry.is_signal_trampoline());
            found.insert(entry.initial_address() + early, entry.initial_address() + entry.len());
        }
    }
    found
}

/// The instructions from `from` to behind the `syscall` at `at`; `None` if they are out of step with it.
fn instructions(text: &Text<'_>, from: u64, at: u64) -> Option<Vec<Instruction>> {
    let bytes = text.bytes.get((from - text.address) as usize..)?;
    let mut all = Vec::new();
    for instruction in Decoder::with_ip(64, bytes, from, DecoderOptions::NONE).iter() {
        if instruction.ip() > at + 24 || instruction.is_invalid() {
            break;
        }
        all.push(instruction);
    }
    let site = all.iter().find(|instruction| instruction.ip() == at)?;
    (site.code() == Code::Syscall).then_some(all)
}

fn stays_the_same(instruction: &Instruction) -> bool {
    let is_relative = (0..instruction.op_count()).any(|operand| {
        instruction.op_kind(operand) == OpKind::Memory
            && matches!(instruction.memory_base(), Register::RIP | Register::EIP)
    });
    !is_relative && instruction.flow_control() == FlowControl::Next
}

/// What is wrong about a plan, by the instructions that there are.
fn mistake(plan: &Plan, all: &[Instruction]) -> Option<&'static str> {
    let end = plan.start() + plan.bytes().len() as u64;
    let inside: Vec<_> = all.iter().filter(|one| one.ip() >= plan.start() && one.ip() < end).collect();
    if inside.first().map(|one| one.ip()) != Some(plan.start()) || inside.last().map(|one| one.next_ip()) != Some(end) {
        return Some("it takes away part of an instruction");
    }
    let known = |one: &&&Instruction| plan.stub_of(one.ip(), 0).is_none();
    if inside.iter().any(|one| known(&one)) {
        return Some("it does not know where an instruction begins");
    }
    if inside.iter().any(|one| one.ip() != plan.syscall() && !stays_the_same(one)) {
        return Some("it moves what cannot be moved");
    }
    None
}

fn look(path: &Path, found: &mut Found) {
    let Ok(file) = fs::read(path) else { return };
    let Ok(elf) = object::File::parse(&*file) else { return };
    // What is still to be linked has no addresses yet.
    if elf.architecture() != Architecture::X86_64 || elf.kind() == ObjectKind::Relocatable {
        return;
    }
    let functions = functions(&elf);
    for section in elf.sections().filter(|section| section.kind() == SectionKind::Text) {
        let Ok(bytes) = section.data() else { continue };
        let text = Text { address: section.address(), bytes };
        for at in (0..bytes.len().saturating_sub(1)).filter(|&at| bytes[at..at + 2] == [0x0f, 0x05]) {
            look_at(path, &text, &functions, at, found);
        }
    }
}

fn look_at(path: &Path, text: &Text<'_>, functions: &BTreeMap<u64, u64>, at: usize, found: &mut Found) {
    let address = text.address + at as u64;
    let function = functions.range(..=address).next_back().filter(|(_, end)| **end > address);
    let all = match function {
        Some((from, _)) => instructions(text, *from, address),
        // Hand-written, or another compiler's: from some way before, as readings are in step after a few.
        None => instructions(text, address.saturating_sub(240).max(text.address), address),
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

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files(&entry.path(), all),
            Ok(kind) if kind.is_file() => all.push(entry.path()),
            _ => {}
        }
    }
}

#[test]
fn plans_are_right_for_what_is_installed() {
    let mut paths: Vec<PathBuf> = SOME.iter().map(PathBuf::from).collect();
    if std::env::var_os("WHITTLE_TEST_ALL").is_some() {
        FOLDERS.iter().for_each(|folder| files(Path::new(folder), &mut paths));
    }
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
