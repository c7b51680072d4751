//! Another decoder, which knows every instruction, and what this machine has for it: the C library, the loader and
//! busybox; with WHITTLE_TEST_ALL everything in the folders below.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use gimli::{BaseAddresses, CieOrFde, EhFrame, LittleEndian, UnwindSection};
use iced_x86::{Code, Decoder, DecoderOptions, FlowControl, Instruction, OpKind, Register};
use object::{Architecture, Object, ObjectKind, ObjectSection, SectionKind};
use rewrite::Plan;

const SOME: [&str; 3] = ["/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2", "/bin/busybox"];
const FOLDERS: [&str; 6] = ["/usr/bin", "/usr/sbin", "/usr/lib", "/usr/libexec", "/usr/local", "/opt"];

/// What is to be looked at.
pub fn paths() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = SOME.iter().map(PathBuf::from).collect();
    if std::env::var_os("WHITTLE_TEST_ALL").is_some() {
        FOLDERS.iter().for_each(|folder| files(Path::new(folder), &mut paths));
    }
    paths
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

/// Shows each section of code of a program or library, and where its functions begin and end, if it is for this machine
/// and has addresses: what is still to be linked has none yet.
pub fn each_text(path: &Path, mut show: impl FnMut(&object::File<'_>, &Text<'_>, &Functions)) {
    let Ok(file) = fs::read(path) else { return };
    let Ok(elf) = object::File::parse(&*file) else { return };
    if elf.architecture() != Architecture::X86_64 || elf.kind() == ObjectKind::Relocatable {
        return;
    }
    let functions = functions(&elf);
    for section in elf.sections().filter(|section| section.kind() == SectionKind::Text) {
        if let Ok(bytes) = section.data() {
            show(&elf, &Text { address: section.address(), bytes }, &functions);
        }
    }
}

/// Where functions begin and end, by their start.
pub type Functions = BTreeMap<u64, u64>;

/// A section of code, and its address.
pub struct Text<'a> {
    pub address: u64,
    pub bytes: &'a [u8],
}

fn functions(elf: &object::File<'_>) -> Functions {
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

/// The instructions from `from` to behind the one at `at`, which has this code; `None` if they are out of step with it.
pub fn instructions(text: &Text<'_>, from: u64, at: u64, code: Code) -> Option<Vec<Instruction>> {
    let bytes = text.bytes.get((from - text.address) as usize..)?;
    let mut all = Vec::new();
    for instruction in Decoder::with_ip(64, bytes, from, DecoderOptions::NONE).iter() {
        if instruction.ip() > at + 24 || instruction.is_invalid() {
            break;
        }
        all.push(instruction);
    }
    let site = all.iter().find(|instruction| instruction.ip() == at)?;
    (site.code() == code).then_some(all)
}

fn stays_the_same(instruction: &Instruction) -> bool {
    let is_relative = (0..instruction.op_count()).any(|operand| {
        instruction.op_kind(operand) == OpKind::Memory
            && matches!(instruction.memory_base(), Register::RIP | Register::EIP)
    });
    !is_relative && instruction.flow_control() == FlowControl::Next
}

/// What is wrong about a plan, by the instructions that there are.
pub fn mistake(plan: &Plan, all: &[Instruction]) -> Option<&'static str> {
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
