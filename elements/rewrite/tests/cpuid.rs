//! The plans for each `cpuid` in the programs and libraries of this machine, against another decoder.

mod decoder;

use std::path::Path;

use decoder::{Text, instructions, mistake};
use iced_x86::Code;
use object::{Object, ObjectSection, ObjectSegment};
use rewrite::{Plan, cpuid_plans};

/// What was found: plans, the instructions that there are, pairs of bytes that are none, and mistakes.
#[derive(Default)]
struct Found {
    plans: usize,
    instructions: usize,
    pieces: usize,
    wrong: Vec<String>,
}

/// The file's bytes by their address.
fn read(elf: &object::File<'_>, at: u64, bytes: &mut [u8]) -> bool {
    let found = elf.segments().find_map(|segment| {
        let first = usize::try_from(at.checked_sub(segment.address())?).ok()?;
        segment.data().ok()?.get(first..first.checked_add(bytes.len())?)
    });
    found.map(|found| bytes.copy_from_slice(found)).is_some()
}

fn plans(elf: &object::File<'_>, text: &Text<'_>) -> Vec<Plan> {
    let range = text.address..text.address + text.bytes.len() as u64;
    let mut frames = || {
        let section = elf.section_by_name(".eh_frame")?;
        Some((section.address(), section.data().ok()?.to_vec()))
    };
    cpuid_plans(&range, &mut |at, bytes| read(elf, at, bytes), &mut frames)
}

fn look(path: &Path, found: &mut Found) {
    decoder::each_text(path, |elf, text, functions| {
        let real = |at: u64| {
            let (from, _) = functions.range(..=at).next_back().filter(|(_, end)| **end > at)?;
            instructions(text, *from, at, Code::Cpuid)
        };
        let bytes = text.bytes;
        for at in (0..bytes.len().saturating_sub(1)).filter(|&at| bytes[at..at + 2] == [0x0f, 0xa2]) {
            let is_real = real(text.address + at as u64).is_some();
            *(if is_real { &mut found.instructions } else { &mut found.pieces }) += 1;
        }
        for plan in plans(elf, text) {
            found.plans += 1;
            let mistake = match real(plan.syscall()) {
                Some(all) => mistake(&plan, &all),
                None => Some("it is for what is no cpuid"),
            };
            found.wrong.extend(mistake.map(|what| format!("{} {:#x}: {what}", path.display(), plan.start())));
        }
    });
}

#[test]
fn plans_are_right_for_what_is_installed() {
    let (mut found, mut looked) = (Found::default(), 0);
    for path in decoder::paths() {
        look(&path, &mut found);
        looked += 1;
    }
    let Found { plans, instructions, pieces, wrong } = found;
    eprintln!("{looked} files: {plans} of {instructions} have a plan; {pieces} are no instructions of known functions");
    assert_eq!(wrong, Vec::<String>::new());
    assert!(plans > 40 && plans * 4 > instructions * 3, "{plans} of {instructions} have a plan");
}
