use std::{vec, vec::Vec};

use super::{BEFORE, Code, PATIENCE, Patcher, Seen, TRAPS, Told};
use crate::{Entry, FAULTS, Jump, Kind, Left, Target};
use core::ops::Range;

const BASE: u64 = 0x40_0000;
pub(super) const ENTRY: Jump = Jump { to: Target::Address(0x7fff_0000_1000), masked: false };
const AREA: u64 = 0x4000;

/// A program's code in a vector, and areas behind it.
pub(super) struct Memory {
    code: Vec<u8>,
    areas: Vec<(u64, Vec<u8>)>,
    free: Range<u64>,
    /// Each write, and 0 bytes for each time that others forgot what they had fetched.
    writes: Vec<(u64, usize)>,
    pub(super) refuses: bool,
    /// What was said of sites, by the address behind each.
    pub(super) told: Vec<(u64, Told)>,
}

impl Memory {
    pub(super) fn new(pieces: &[&[u8]]) -> Self {
        let mut code = vec![0x90; BEFORE + 32];
        for piece in pieces {
            code.extend(*piece);
            code.extend([0x90; 64]);
        }
        Self {
            code,
            areas: Vec::new(),
            free: 0x80_0000..0x4000_0000,
            writes: Vec::new(),
            refuses: false,
            told: Vec::new(),
        }
    }

    pub(super) fn length(&self) -> usize {
        self.code.len()
    }

    /// How often something was written.
    pub(super) fn count_of_writes(&self) -> usize {
        self.writes.iter().filter(|(_, length)| *length > 0).count()
    }

    pub(super) fn extent(&self) -> Range<u64> {
        BASE..BASE + self.code.len() as u64
    }

    /// The addresses behind each `syscall`.
    fn behind(&self) -> Vec<u64> {
        let found = self.code.windows(2).enumerate().filter(|(_, bytes)| *bytes == [0x0f, 0x05]);
        found.map(|(at, _)| BASE + at as u64 + 2).collect()
    }

    pub(super) fn bytes(&self, at: u64, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        assert!(self.read(at, &mut bytes));
        bytes
    }
}

impl Code for Memory {
    fn told(&self, at: u64) -> Told {
        self.told.iter().find(|(behind, _)| *behind == at + 2).map(|(_, told)| *told).unwrap_or_default()
    }

    fn read(&self, at: u64, bytes: &mut [u8]) -> bool {
        let areas = self.areas.iter().map(|(base, area)| (*base, area));
        let found = areas.chain([(BASE, &self.code)]).find_map(|(base, area)| {
            let first = usize::try_from(at.checked_sub(base)?).ok()?;
            area.get(first..first + bytes.len())
        });
        found.map(|found| bytes.copy_from_slice(found)).is_some()
    }

    fn write(&mut self, at: u64, bytes: &[u8]) -> bool {
        if self.refuses {
            return false;
        }
        self.writes.push((at, bytes.len()));
        let areas = self.areas.iter_mut().map(|(base, area)| (*base, area));
        let found = areas.chain([(BASE, &mut self.code)]).find_map(|(base, area)| {
            let first = usize::try_from(at.checked_sub(base)?).ok()?;
            area.get_mut(first..first + bytes.len())
        });
        found.map(|found| found.copy_from_slice(bytes)).is_some()
    }

    fn synchronize(&mut self) {
        self.writes.push((0, 0));
    }

    fn reserve(&mut self, wanted: &dyn Fn(Range<u64>) -> Option<u64>) -> Option<(Range<u64>, u64)> {
        let at = wanted(self.free.clone())?;
        let start = at & !0xfff;
        self.areas.push((start, vec![0; AREA as usize]));
        self.free.start = start + AREA;
        Some((start..start + AREA, at))
    }
}

fn trap(patcher: &mut Patcher, memory: &mut Memory, behind: u64, number: u32, times: u32) {
    let extent = memory.extent();
    for _ in 0..times {
        patcher.trapped(memory, Some(&ENTRY), behind, number, &extent);
    }
}

/// mov $39, %eax; syscall.
const NUMBER: &[u8] = &[0xb8, 39, 0, 0, 0, 0x0f, 0x05];
/// mov %rbx, %rdi; mov %rcx, %rsi; syscall.
const BEFORE_IT: &[u8] = &[0x48, 0x89, 0xdf, 0x48, 0x89, 0xce, 0x0f, 0x05];
/// call *%rax; syscall; test %rax, %rax.
const BEHIND_IT: &[u8] = &[0xff, 0xd0, 0x0f, 0x05, 0x48, 0x85, 0xc0];

/// Code that was compiled to call is counted, and forgotten when it goes; what lies in no code is not.
#[test]
fn sites_that_call_by_themselves_are_counted() {
    let mut patcher = Patcher::new(TRAPS);
    let extent = BASE..BASE + 4096;
    for number in [39, 39, 40] {
        patcher.called(BASE + 17, number, &ENTRY, || Some(extent.clone()));
    }
    patcher.called(BASE + 8192, 39, &ENTRY, || None);
    patcher.called(BASE + 8192, 39, &ENTRY, || Some(extent.clone()));
    let seen: Vec<_> = patcher.sites().collect();
    assert_eq!(seen, [Seen { at: BASE + 15, traps: 0, calls: 3, kind: None, left: None }]);
    assert!(patcher.touches(&extent));
    patcher.gone(ENTRY.length(), &extent);
    assert_eq!(patcher.sites().count(), 0);
}

#[test]
fn a_site_is_counted_staged_proven_and_given_back() {
    for (piece, kind, back) in [(NUMBER, Kind::Number, 7), (BEFORE_IT, Kind::Before, 8), (BEHIND_IT, Kind::Behind, 2)] {
        let mut memory = Memory::new(&[piece]);
        let before = memory.code.clone();
        let (mut patcher, behind) = (Patcher::new(TRAPS), memory.behind()[0]);
        let start = behind - back;
        trap(&mut patcher, &mut memory, behind, 39, TRAPS - 1);
        assert!(memory.writes.is_empty() && !patcher.knows(&(0..BASE)) && patcher.knows(&memory.extent()));
        trap(&mut patcher, &mut memory, behind, 39, 1);
        assert_eq!(memory.bytes(start, 1), FAULTS[..1]);
        assert_eq!(memory.bytes(start + 1, 4), before[(start + 1 - BASE) as usize..][..4]);
        // What faults elsewhere is not ours.
        assert_eq!(patcher.fault(&mut memory, start - 1, &ENTRY), None);
        assert_eq!(patcher.fault(&mut memory, start + 1, &ENTRY), None);
        memory.writes.clear();
        let stub = patcher.fault(&mut memory, start, &ENTRY).expect("it has proved itself");
        let jump = memory.bytes(start, 5);
        let distance = i32::from_le_bytes(jump[1..].try_into().unwrap());
        assert_eq!((jump[0], start.wrapping_add(5).wrapping_add_signed(distance.into())), (0xe9, stub));
        // The first byte comes last, and others have forgotten what they fetched.
        let last = memory.writes.iter().rposition(|&write| write == (start, 1)).unwrap();
        assert_eq!(memory.writes[last - 1..], [(0, 0), (start, 1), (0, 0)]);
        let seen: Vec<_> = patcher.sites().collect();
        assert_eq!((seen.len(), seen[0].kind, seen[0].left, seen[0].traps), (1, Some(kind), None, TRAPS.into()));
        assert_eq!(patcher.program_of(stub, &ENTRY), Some((start, true)));
        assert_eq!(patcher.program_of(stub - 1, &ENTRY), None);
        assert_eq!(patcher.program_of(stub + 4096, &ENTRY), None);
        // It is counted by where it goes on.
        let back = if kind == Kind::Behind { stub + ENTRY.length() as u64 } else { behind };
        patcher.called(back, 39, &ENTRY, || None);
        assert_eq!(patcher.sites().next().unwrap().calls, 1);
        // A stray jump to it goes on in the stub.
        assert_eq!(patcher.fault(&mut memory, start, &ENTRY), Some(stub));
        let extent = memory.extent();
        patcher.leave(&mut memory, &extent);
        assert_eq!(memory.code, before);
        assert!(patcher.sites().next().is_none());
        // Who was in the stub is still known.
        assert_eq!(patcher.program_of(stub, &ENTRY), Some((start, true)));
        assert_eq!(patcher.fault(&mut memory, start, &ENTRY), None);
        // It serves again.
        trap(&mut patcher, &mut memory, behind, 39, TRAPS);
        assert_eq!(patcher.fault(&mut memory, start, &ENTRY), Some(stub));
        patcher.gone(ENTRY.length(), &memory.extent());
        assert_eq!(patcher.program_of(stub, &ENTRY), None);
    }
}

#[test]
fn stray_jumps_come_where_they_meant_to_go() {
    let mut memory = Memory::new(&[BEFORE_IT, BEHIND_IT]);
    let mut patcher = Patcher::new(TRAPS);
    let behind = memory.behind();
    for &behind in &behind {
        trap(&mut patcher, &mut memory, behind, 1, TRAPS);
    }
    let (first, second) = (behind[0] - 8, behind[1] - 2);
    let stubs = [first, second].map(|start| patcher.fault(&mut memory, start, &ENTRY).unwrap());
    assert_eq!(patcher.fault(&mut memory, first + 3, &ENTRY), Some(stubs[0] + 3));
    assert_eq!(patcher.fault(&mut memory, first + 1, &ENTRY), None);
    let moved = stubs[1] + ENTRY.length() as u64 + 10;
    assert_eq!(patcher.fault(&mut memory, second + 2, &ENTRY), Some(moved));
    assert_eq!(patcher.program_of(moved, &ENTRY), Some((second + 2, false)));
}

#[test]
fn who_comes_another_way_keeps_trapping() {
    let mut memory = Memory::new(&[NUMBER]);
    let before = memory.code.clone();
    let (mut patcher, behind) = (Patcher::new(TRAPS), memory.behind()[0]);
    trap(&mut patcher, &mut memory, behind, 39, TRAPS + PATIENCE);
    assert_eq!(memory.code, before);
    assert_eq!(patcher.sites().next().unwrap().left, Some(Left::Unproven));
    trap(&mut patcher, &mut memory, behind, 39, 100);
    assert_eq!(memory.code, before);
}

#[test]
fn an_excepted_site_traps_for_good() {
    let mut memory = Memory::new(&[NUMBER, NUMBER]);
    let before = memory.code.clone();
    let (mut patcher, behind) = (Patcher::new(2), memory.behind());
    memory.told = vec![(behind[0], Told::Excepted)];
    trap(&mut patcher, &mut memory, behind[0], 39, 1000);
    assert_eq!(memory.code, before);
    let seen = patcher.sites().next().unwrap();
    assert_eq!((seen.left, seen.traps, seen.kind), (Some(Left::Excepted), 1000, None));
    // Code that comes anew is asked about anew, and its neighbour is no exception.
    patcher.gone(ENTRY.length(), &memory.extent());
    assert_eq!(patcher.others().gone, [1000, 0]);
    trap(&mut patcher, &mut memory, behind[0], 39, 10);
    trap(&mut patcher, &mut memory, behind[1], 39, 2);
    assert_eq!(patcher.sites().next().unwrap().left, Some(Left::Excepted));
    assert!(patcher.fault(&mut memory, behind[1] - 7, &ENTRY).is_some());
    // Where nothing is rewritten it is one all the same.
    let mut counting = Patcher::new(2);
    let extent = memory.extent();
    counting.trapped(&mut memory, None, behind[0], 39, &extent);
    assert_eq!(counting.sites().next().unwrap().left, Some(Left::Excepted));
}

#[test]
fn what_another_run_has_proven_is_staged_at_once_and_proves_itself_again() {
    let mut memory = Memory::new(&[NUMBER, NUMBER]);
    let before = memory.code.clone();
    let (mut patcher, behind) = (Patcher::new(TRAPS), memory.behind());
    memory.told = vec![(behind[0], Told::Proven)];
    for &behind in &behind {
        trap(&mut patcher, &mut memory, behind, 39, 1);
    }
    // One byte, and not the `jmp`; and nothing at the other site.
    let changed: Vec<_> = (0..before.len()).filter(|&at| memory.code[at] != before[at]).collect();
    assert_eq!(changed, [(behind[0] - 7 - BASE) as usize]);
    assert_eq!(patcher.sites().next().unwrap().kind, None);
    assert!(patcher.fault(&mut memory, behind[0] - 7, &ENTRY).is_some());
    assert_eq!(patcher.sites().next().unwrap().kind, Some(Kind::Number));
}

#[test]
fn what_was_said_and_does_not_hold_is_believed_once() {
    // Whoever comes here comes another way.
    let mut memory = Memory::new(&[NUMBER]);
    let before = memory.code.clone();
    let (mut patcher, behind) = (Patcher::new(TRAPS), memory.behind()[0]);
    memory.told = vec![(behind, Told::Proven)];
    trap(&mut patcher, &mut memory, behind, 39, 1 + PATIENCE);
    assert_eq!(memory.code, before);
    assert_eq!(patcher.sites().next().unwrap().left, Some(Left::Unproven));
    // A page that is brought anew while the site is staged: it is counted as any other from then on.
    let mut patcher = Patcher::new(TRAPS);
    trap(&mut patcher, &mut memory, behind, 39, 1);
    memory.code.clone_from(&before);
    trap(&mut patcher, &mut memory, behind, 39, PATIENCE + TRAPS - 1);
    assert_eq!(memory.code, before);
    trap(&mut patcher, &mut memory, behind, 39, 1);
    assert_ne!(memory.code, before);
}

#[test]
fn a_page_that_was_brought_anew_is_rewritten_again() {
    let mut memory = Memory::new(&[NUMBER]);
    let before = memory.code.clone();
    let (mut patcher, behind) = (Patcher::new(TRAPS), memory.behind()[0]);
    trap(&mut patcher, &mut memory, behind, 39, TRAPS);
    let stub = patcher.fault(&mut memory, behind - 7, &ENTRY);
    memory.code.clone_from(&before);
    assert_eq!(patcher.fault(&mut memory, behind - 7, &ENTRY), None);
    trap(&mut patcher, &mut memory, behind, 39, PATIENCE + TRAPS);
    assert_eq!(patcher.fault(&mut memory, behind - 7, &ENTRY), stub);
    // Who jumps right to the `syscall` changes nothing.
    trap(&mut patcher, &mut memory, behind, 39, 5 * PATIENCE);
    assert_eq!(memory.bytes(behind - 7, 1), [0xe9]);
}

#[test]
fn numbers_that_differ_and_what_is_near() {
    // mov $39, %eax; syscall; syscall; test %rax, %rax.
    let mut memory = Memory::new(&[&[0xb8, 39, 0, 0, 0, 0x0f, 0x05, 0x0f, 0x05, 0x48, 0x85, 0xc0]]);
    let (mut patcher, behind) = (Patcher::new(TRAPS), memory.behind());
    trap(&mut patcher, &mut memory, behind[0], 39, TRAPS - 1);
    trap(&mut patcher, &mut memory, behind[0], 40, 1);
    patcher.fault(&mut memory, behind[0] - 7, &ENTRY).unwrap();
    assert_eq!(patcher.sites().next().unwrap().kind, Some(Kind::Before));
    // Before the second one, another one's `jmp` stands; behind it there is room.
    trap(&mut patcher, &mut memory, behind[1], 0, TRAPS);
    patcher.fault(&mut memory, behind[1] - 2, &ENTRY).unwrap();
    assert_eq!(patcher.sites().nth(1).unwrap().kind, Some(Kind::Behind));
}

#[test]
fn what_cannot_be_done_says_so() {
    let mut memory = Memory::new(&[NUMBER, NUMBER, &[0xb8, 15, 0, 0, 0, 0x0f, 0x05], &[0x0f, 0x0b, 0x0f, 0x05, 0xc3]]);
    let before = memory.code.clone();
    let (mut patcher, behind) = (Patcher::new(TRAPS), memory.behind());
    memory.refuses = true;
    trap(&mut patcher, &mut memory, behind[0], 39, TRAPS);
    memory.refuses = false;
    memory.free = 0..0;
    memory.areas.clear();
    let mut other = Patcher::new(TRAPS);
    trap(&mut other, &mut memory, behind[1], 39, TRAPS);
    trap(&mut patcher, &mut memory, behind[2], 15, TRAPS);
    trap(&mut patcher, &mut memory, behind[3], 1, TRAPS);
    // The code that is the program's own ends before the site does.
    let extent = BASE..behind[1] - 1;
    for _ in 0..TRAPS {
        patcher.trapped(&mut memory, Some(&ENTRY), behind[1], 39, &extent);
    }
    let left: Vec<_> = patcher.sites().chain(other.sites()).map(|site| site.left.unwrap()).collect();
    assert_eq!(left[..3], [Left::NotWritten, Left::NotThere, Left::Trampoline]);
    assert_eq!(left[4], Left::NoRoom);
    assert_eq!(memory.code, before);
}

#[test]
fn stubs_of_code_that_comes_and_goes_take_no_more_room() {
    let mut patcher = Patcher::new(TRAPS);
    let mut memory = Memory::new(&[NUMBER, BEFORE_IT, BEHIND_IT]);
    for _ in 0..1000 {
        for behind in memory.behind() {
            trap(&mut patcher, &mut memory, behind, 1, TRAPS);
        }
        patcher.gone(ENTRY.length(), &memory.extent());
        let fresh = Memory::new(&[NUMBER, BEFORE_IT, BEHIND_IT]);
        memory.code = fresh.code;
    }
    assert!(patcher.areas.count() <= 3);
}

/// What a copy of the space does with what it has: its patcher, and pages that are as they were.
struct Child {
    patcher: Patcher,
    memory: Memory,
}

impl Child {
    fn of(patcher: &Patcher, memory: &Memory) -> Self {
        let mut own = Memory::new(&[]);
        (own.code, own.areas, own.free) = (memory.code.clone(), memory.areas.clone(), memory.free.clone());
        Self { patcher: patcher.clone(), memory: own }
    }
}

/// Before a space is copied again.
fn learn(patcher: &mut Patcher, memory: &mut Memory) -> bool {
    let extent = memory.extent();
    let learns = patcher.has_notes();
    for noted in patcher.take_noted() {
        patcher.trapped_in_copies(memory, &ENTRY, noted, &extent);
    }
    patcher.believe_copies(memory);
    learns
}

#[test]
fn what_traps_in_copies_is_rewritten_for_the_next_one() {
    for piece in [NUMBER, BEFORE_IT, BEHIND_IT] {
        let mut memory = Memory::new(&[piece]);
        let (mut patcher, behind) = (Patcher::new(TRAPS), memory.behind()[0]);
        for _ in 0..TRAPS {
            assert!(!learn(&mut patcher, &mut memory) && memory.writes.is_empty());
            Child::of(&patcher, &memory).patcher.note(behind, 39);
        }
        assert!(learn(&mut patcher, &mut memory));
        let start = patcher.patches.values().next().expect("it is staged").plan.start();
        assert_eq!(memory.bytes(start, 1), FAULTS[..1]);
        // A child that ends before it comes there proves nothing.
        drop(Child::of(&patcher, &memory));
        assert!(!learn(&mut patcher, &mut memory));
        let mut child = Child::of(&patcher, &memory);
        let stub = child.patcher.fault(&mut child.memory, start, &ENTRY);
        assert!(stub.is_some() && memory.bytes(start, 1) == FAULTS[..1]);
        assert!(learn(&mut patcher, &mut memory));
        assert_eq!(memory.code, child.memory.code);
        assert_eq!((memory.bytes(start, 1), patcher.fault(&mut memory, start, &ENTRY)), (vec![0xe9], stub));
        assert!(!learn(&mut patcher, &mut memory));
    }
}

/// A proof is of code: of a copy's that has changed nothing is believed, nor is anything believed of one's own that
/// has.
#[test]
fn copies_of_other_code_are_not_believed() {
    for parent_changes in [false, true] {
        let mut memory = Memory::new(&[NUMBER]);
        let (mut patcher, behind) = (Patcher::new(TRAPS), memory.behind()[0]);
        (0..TRAPS).for_each(|_| patcher.note(behind, 39));
        learn(&mut patcher, &mut memory);
        let mut child = Child::of(&patcher, &memory);
        let extent = memory.extent();
        if parent_changes {
            patcher.leave(&mut memory, &extent);
            trap(&mut patcher, &mut memory, behind, 39, TRAPS);
        } else {
            child.patcher.leave(&mut child.memory, &extent);
            trap(&mut child.patcher, &mut child.memory, behind, 39, TRAPS);
        }
        assert!(child.patcher.fault(&mut child.memory, behind - 7, &ENTRY).is_some());
        assert!(!learn(&mut patcher, &mut memory));
        assert_eq!(memory.bytes(behind - 7, 1), FAULTS[..1]);
    }
}

/// A site that copies come to in another way is given up here, as one's own is; one with several numbers has none.
#[test]
fn copies_that_come_another_way_keep_trapping() {
    let mut memory = Memory::new(&[NUMBER]);
    let before = memory.code.clone();
    let (mut patcher, behind) = (Patcher::new(TRAPS), memory.behind()[0]);
    for _ in 0..2 * (TRAPS + PATIENCE) {
        Child::of(&patcher, &memory).patcher.note(behind, 39);
        learn(&mut patcher, &mut memory);
    }
    assert_eq!((memory.code, patcher.sites().next().unwrap().left), (before, Some(Left::Unproven)));
    let mut memory = Memory::new(&[BEHIND_IT]);
    let (mut patcher, behind) = (Patcher::new(TRAPS), memory.behind()[0]);
    for number in [39, 40].repeat(TRAPS as usize) {
        patcher.note(behind, number);
    }
    learn(&mut patcher, &mut memory);
    assert_eq!(patcher.sites.values().next().unwrap().number, None);
    // More sites than there is room for are not noted.
    (1..1000).for_each(|site| patcher.note(site * 8, 39));
    assert!(!patcher.has_notes());
}

/// Whatever comes in whatever order: the program's bytes are its own again when they have to be, nothing outside of a
/// site ever changes, and a `jmp` leads to what it took the place of.
#[test]
fn any_order_keeps_the_program() {
    let pieces = [NUMBER, BEFORE_IT, BEHIND_IT, &[0x0f, 0x0b, 0x0f, 0x05, 0xc3], NUMBER, BEHIND_IT];
    let mut memory = Memory::new(&pieces);
    let (original, behind) = (memory.code.clone(), memory.behind());
    memory.told = vec![(behind[1], Told::Proven), (behind[5], Told::Excepted)];
    let (mut patcher, mut state) = (Patcher::new(2), 9_u64);
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for _ in 0..if cfg!(miri) { 200 } else { 20_000 } {
        let site = behind[random(behind.len() as u64) as usize];
        let extent = memory.extent();
        let range = site.saturating_sub(random(40))..site + random(40);
        match random(12) {
            0..=4 => trap(&mut patcher, &mut memory, site, 39, 1),
            5..=8 => {
                let at = site - 8 + random(12);
                if let Some(to) = patcher.fault(&mut memory, at, &ENTRY) {
                    assert_eq!(patcher.program_of(to, &ENTRY).map(|(program, _)| program), Some(at));
                }
            }
            9 => {
                patcher.leave(&mut memory, &range);
                let (from, to) = ((range.start - BASE) as usize, (range.end - BASE) as usize);
                assert_eq!(memory.code[from..to.min(original.len())], original[from..to.min(original.len())]);
            }
            10 => {
                // Others bring the page anew.
                memory.code.clone_from(&original);
            }
            _ => {
                memory.code.clone_from(&original);
                patcher.gone(ENTRY.length(), &extent);
                assert!(patcher.sites().next().is_none());
            }
        }
        let changed = memory.code.iter().zip(&original).enumerate().filter(|(_, (now, then))| now != then);
        for (at, _) in changed {
            let is_near = |behind: &u64| (behind - BASE).abs_diff(at as u64) < 10;
            assert!(behind.iter().any(is_near), "the byte at {at} is no site's");
        }
    }
    patcher.leave(&mut memory, &(0..u64::MAX));
    assert_eq!(memory.code, original);
}
