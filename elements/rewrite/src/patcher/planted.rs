//! Sites that are known before anything executes them.

use alloc::{vec, vec::Vec};
use core::ops::Range;

use super::{Code, Patch, Patcher, Stage, Told};
use crate::{Entry, JUMP, Kind, Plan, SYSCALL, site::CPUID};

/// Patches are written together as far as they lie in so many bytes: a page, which the first write copies.
const TOGETHER: u64 = 4096;

impl Patcher {
    /// Writes the `jmp` of each of these plans, `distance` further on, in code that nobody executes yet. They ascend,
    /// and none touches another. A plan whose bytes are not there is passed over. Answers how many there are now.
    #[inline(never)]
    pub fn plant(
        &mut self,
        code: &mut dyn Code,
        entry: &dyn Entry,
        (plans, distance): (&[Plan], u64),
        extent: &Range<u64>,
    ) -> usize {
        // Those first whose stubs may not stand anywhere: where they stand, there is room for the others.
        let is_bound = |plan: &Plan| (1..JUMP).any(|at| plan.has_boundary(at));
        let mut prepared: Vec<Option<Patch>> = vec![None; plans.len()];
        for bound in [true, false] {
            for (plan, place) in plans.iter().zip(&mut prepared).filter(|(plan, _)| is_bound(plan) == bound) {
                *place = self.prepare(code, entry, plan.moved_by(distance), extent);
            }
        }
        let planted: Vec<Patch> = prepared.into_iter().flatten().collect();
        if planted.is_empty() || !write_stubs(code, entry, &planted) {
            planted.iter().for_each(|patch| self.areas.give_back(patch.stub, patch.plan.stub_length(entry.length())));
            return 0;
        }
        self.extents.note(extent);
        let page = |patch: &Patch| patch.plan.start() / TOGETHER;
        let mut count = 0;
        for together in planted.chunk_by(|one, next| page(one) == page(next)) {
            let stage = if write_jumps(code, together) { Stage::Proven } else { Stage::Restored };
            count += if stage == Stage::Proven { together.len() } else { 0 };
            for patch in together {
                self.stubs.insert(patch.stub, patch.plan.start());
                self.patches.insert(patch.plan.start(), Patch { stage, ..patch.clone() });
            }
        }
        code.synchronize();
        count
    }

    /// How many stand: for reports.
    #[must_use]
    pub fn planted(&self) -> usize {
        let is_planted = |patch: &&Patch| patch.plan.kind() == Kind::Cpuid && patch.stage == Stage::Proven;
        self.patches.values().filter(is_planted).count()
    }

    /// Room for the stub of a plan, if its bytes are there and nobody else's.
    fn prepare(&mut self, code: &mut dyn Code, entry: &dyn Entry, plan: Plan, extent: &Range<u64>) -> Option<Patch> {
        let mut patch = Patch { plan, stub: 0, stage: Stage::Restored };
        let range = patch.range();
        let is_inside = extent.start <= range.start && range.end <= extent.end;
        let is_excepted = code.told(patch.plan.syscall()) == Told::Excepted;
        let mut question = [0; SYSCALL];
        let is_there = code.read(patch.plan.syscall(), &mut question) && question == CPUID;
        if !is_inside || is_excepted || !is_there || self.touching(&range).next().is_some() || !patch.stands(code) {
            return None;
        }
        patch.stub = self.areas.take(code, &patch.plan, patch.plan.stub_length(entry.length()))?;
        self.areas.newest().into_iter().for_each(|area| self.extents.note(area));
        patch.stage = Stage::Proven;
        Some(patch)
    }
}

/// Writes stubs, those of a page together.
fn write_stubs(code: &mut dyn Code, entry: &dyn Entry, patches: &[Patch]) -> bool {
    let page = |patch: &Patch| patch.stub / TOGETHER;
    patches.iter().enumerate().all(|(index, patch)| {
        let is_first = patches[..index].iter().all(|before| page(before) != page(patch));
        let mine = patches[index..].iter().filter(|other| page(other) == page(patch));
        !is_first || write_page(code, entry, page(patch) * TOGETHER, mine)
    })
}

/// Writes stubs that begin in a page.
fn write_page<'a>(
    code: &mut dyn Code,
    entry: &dyn Entry,
    start: u64,
    patches: impl Iterator<Item = &'a Patch>,
) -> bool {
    let mut page = vec![0; TOGETHER as usize];
    // A page that nobody has touched yet may have nothing to read: then it is written in parts.
    let is_known = code.read(start, &mut page);
    for patch in patches {
        let stub = patch.plan.stub(patch.stub, entry);
        let at = (patch.stub - start) as usize;
        let inside = if is_known { stub.len().min(page.len() - at) } else { 0 };
        page[at..at + inside].copy_from_slice(&stub[..inside]);
        if inside < stub.len() && !code.write(patch.stub + inside as u64, &stub[inside..]) {
            return false;
        }
    }
    !is_known || code.write(start, &page)
}

/// Writes what leads to the stubs of these patches, and what lies between as it is.
fn write_jumps(code: &mut dyn Code, patches: &[Patch]) -> bool {
    let [Some(first), Some(last)] = [patches.first(), patches.last()] else { return true };
    let start = first.plan.start();
    let mut bytes = vec![0; (last.range().end - start) as usize];
    if !code.read(start, &mut bytes) {
        return false;
    }
    for patch in patches {
        let at = (patch.plan.start() - start) as usize;
        let written = patch.written();
        bytes[at..at + written.len()].copy_from_slice(&written);
    }
    code.write(start, &bytes)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ENTRY, Memory};
    use super::super::{TRAPS, Told};
    use super::*;
    use crate::{CpuidEntry, FAULTS, Site};

    const CPUID_ENTRY: CpuidEntry = CpuidEntry(0x7fff_0000_2000);
    /// mov $4, %eax; xor %ecx, %ecx; cpuid.
    const ASKS: &[u8] = &[0xb8, 4, 0, 0, 0, 0x31, 0xc9, 0x0f, 0xa2];
    /// add $1, %esi; mov %edi, %eax; mov %esi, %ecx; cpuid.
    const ASKS_AGAIN: &[u8] = &[0x83, 0xc6, 1, 0x89, 0xf8, 0x89, 0xf1, 0x0f, 0xa2];

    /// The plans for each `cpuid` of a memory, which follows seven bytes of instructions.
    fn plans(memory: &Memory) -> Vec<Plan> {
        let (start, code) = (memory.extent().start, memory.bytes(memory.extent().start, memory.length()));
        let sites = code.windows(2).enumerate().filter(|(_, bytes)| *bytes == [0x0f, 0xa2]);
        let plan = |(at, _)| {
            Plan::of_cpuid(&Site { code: &code, address: start, at, number: None, known: Some(at - 7) }).unwrap()
        };
        sites.map(plan).collect()
    }

    fn plant(patcher: &mut Patcher, memory: &mut Memory, plans: &[Plan]) -> usize {
        let extent = memory.extent();
        patcher.plant(memory, &CPUID_ENTRY, (plans, 0), &extent)
    }

    /// All at once, and by one write for the stubs and one for a page; and everything goes as it came.
    #[test]
    fn what_is_known_is_written_before_it_is_executed() {
        let mut memory = Memory::new(&[ASKS, ASKS_AGAIN]);
        let before = memory.bytes(memory.extent().start, memory.length());
        let plans = plans(&memory);
        let mut patcher = Patcher::new(TRAPS);
        assert_eq!((plant(&mut patcher, &mut memory, &plans), patcher.planted()), (2, 2));
        assert!(memory.count_of_writes() <= 3, "{}", memory.count_of_writes());
        for plan in &plans {
            let jump = memory.bytes(plan.start(), 9);
            assert_eq!((jump[0], &jump[7..]), (0xe9, &[0x0f, 0xa2][..]));
            let distance = i32::from_le_bytes(jump[1..5].try_into().unwrap());
            let stub = plan.start().wrapping_add(5).wrapping_add_signed(distance.into());
            let bytes = memory.bytes(stub, plan.stub_length(ENTRY.length()));
            assert_eq!(bytes[..7], plan.bytes()[..7]);
            assert!(bytes.ends_with(&CPUID_ENTRY.0.to_le_bytes()));
            // Whoever is in the stub is at its place in the program: behind what was moved, at the question itself.
            let shown = |at: usize| patcher.program_of(stub + at as u64, &ENTRY).map(|(place, _)| place - plan.start());
            let first = [5, 3][usize::from(plan.bytes()[0] == 0x83)];
            assert_eq!([0, first, 7, 9, bytes.len() - 9].map(shown), [0, first as u64, 7, 7, 7].map(Some));
        }
        let extent = memory.extent();
        assert!(patcher.touches(&extent));
        patcher.leave(&mut memory, &extent);
        assert_eq!(memory.bytes(extent.start, memory.length()), before);
        assert_eq!(patcher.planted(), 0);
    }

    /// More stubs than a page has, one of which is in two.
    #[test]
    fn stubs_of_two_pages_are_whole() {
        let mut memory = Memory::new(&[ASKS; 200]);
        let plans = plans(&memory);
        let mut patcher = Patcher::new(TRAPS);
        assert_eq!(plant(&mut patcher, &mut memory, &plans), 200);
        for plan in &plans {
            let jump = memory.bytes(plan.start(), 5);
            let distance = i32::from_le_bytes(jump[1..].try_into().unwrap());
            let stub = plan.start().wrapping_add(5).wrapping_add_signed(distance.into());
            assert_eq!(memory.bytes(stub, plan.stub_length(0)), plan.stub(stub, &CPUID_ENTRY).to_vec());
        }
    }

    /// Whoever jumps between the instructions that were taken away is led on.
    #[test]
    fn a_jump_between_goes_on_in_the_stub() {
        let mut memory = Memory::new(&[ASKS_AGAIN]);
        let plans = plans(&memory);
        let mut patcher = Patcher::new(TRAPS);
        assert_eq!(plant(&mut patcher, &mut memory, &plans), 1);
        let start = plans[0].start();
        for at in [3, 5] {
            assert!(FAULTS.contains(&memory.bytes(start + at, 1)[0]));
            let to = patcher.fault(&mut memory, start + at, &ENTRY).expect("it is led on");
            assert_eq!(patcher.program_of(to, &ENTRY), Some((start + at, false)));
        }
    }

    /// Other bytes, what is excepted, and what may not be written are left as they are.
    #[test]
    fn what_is_not_as_it_was_is_left_alone() {
        let mut memory = Memory::new(&[ASKS, ASKS_AGAIN]);
        let plans = plans(&memory);
        let mut other = Memory::new(&[ASKS_AGAIN, ASKS]);
        let mut patcher = Patcher::new(TRAPS);
        assert_eq!(plant(&mut patcher, &mut other, &plans), 0);
        memory.told = vec![(plans[0].syscall() + 2, Told::Excepted)];
        assert_eq!(plant(&mut patcher, &mut memory, &plans), 1);
        assert_eq!(plant(&mut patcher, &mut memory, &plans), 0);
        let mut refusing = Memory::new(&[ASKS, ASKS_AGAIN]);
        refusing.refuses = true;
        let mut patcher = Patcher::new(TRAPS);
        assert_eq!((plant(&mut patcher, &mut refusing, &plans), patcher.planted()), (0, 0));
    }
}
