//! System calls that become calls: what the patcher (element `rewrite`) asks of an address space.
//!
//! Only code that a file gave is rewritten: executable, not writable, in private pages. The patcher is asked under the
//! book's lock, and reads and writes code in ways that cannot fault. What takes code away, or changes what may be done
//! with it, says so here first ([`State::leave`], [`State::release_code`]).

use alloc::{borrow::ToOwned, string::String, sync::Arc, vec::Vec};
use core::{
    ops::Range,
    ptr,
    sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed},
};

use machine::{
    Access, CallEntries, Context, Larger, PAGE_SIZE, PageRange, Protection, Source, SpaceHandle, Trap, TrapKind,
};
use regions::{Region, RegionKind};
use rewrite::{Call, Code, CpuidEntry, Entry, Jump, Others, Patcher, Seen, TRAPS, Target, Told};
use sync::Mutex;

use super::{
    AddressSpace, named_sites,
    space::{MOST_REGIONS, Regions, State},
    ways,
};

/// One that knows no site yet.
fn new_patcher() -> Arc<Patcher> {
    Arc::new(Patcher::new(AFTER.load(Relaxed)))
}

/// Where stubs enter the kernel: any call, and a brief one. 0 as long as nothing is rewritten.
static ENTRIES: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

/// Where they would without being counted, for [`super::ways`].
static UNCOUNTED: AtomicUsize = AtomicUsize::new(0);

/// Where code enters that was compiled to call. 0 as long as calls trap.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// Where stubs for `cpuid` enter the kernel, 0 as long as none is rewritten; and the ticks that the processor takes.
static CPUID: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

/// Whether interrupts have to be off there.
static MASKED: AtomicBool = AtomicBool::new(false);

/// The numbers of brief calls.
static BRIEF: Mutex<&'static [usize]> = Mutex::new(&[]);

/// Traps of a site before it is rewritten.
static AFTER: AtomicU32 = AtomicU32::new(TRAPS);

/// Whether traps are counted even if nothing is rewritten, and calls too: somebody wants a report.
static COUNTS: AtomicBool = AtomicBool::new(false);

/// The addresses between which all stubs are.
static STUBS: [AtomicUsize; 2] = [AtomicUsize::new(usize::MAX), AtomicUsize::new(0)];

/// The addresses behind some sites that were given up and trap often: a signal's handler returns by one. They
/// are forgotten when code goes or changes.
static GIVEN_UP: [AtomicUsize; 16] = [const { AtomicUsize::new(0) }; 16];

fn given_up(behind: usize) -> &'static AtomicUsize {
    &GIVEN_UP[behind / 2 % GIVEN_UP.len()]
}

/// Bytes of the addresses that are taken for stubs at once.
const AREA: usize = 16 * PAGE_SIZE;

/// What is done with their pages.
pub(super) const STUBS_MAY: Protection = Protection { read: true, write: false, execute: true };

/// Traps at most that a process does not count, so that its patcher need not be copied.
const MOST_UNCOUNTED: u8 = 8;

/// How far from a site its stub may be: a `jmp` has 32 bits, and some room is left for the code's own length.
const REACH: usize = (1 << 31) - (64 << 20);

/// Places that are looked at for stubs which may not stand anywhere.
const TRIES: usize = 1024;

/// Areas below the code that are looked at first: what is near needs no page table of its own, which each fork copies.
const NEAR: usize = 64;

/// What becomes of system calls, for [`set_system_calls`].
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemCalls {
    /// Those that have trapped often become calls, where the platform has another way into the kernel.
    pub rewritten: bool,
    /// How often that is, if it is not [`rewrite::TRAPS`].
    pub after: Option<u32>,
    /// Each is counted.
    pub counted: bool,
    /// The numbers of those that [`machine::CallEntries::brief`] is for.
    pub brief: &'static [usize],
}

/// Says what becomes of system calls from now on.
pub fn set_system_calls(wish: SystemCalls) {
    COUNTS.store(wish.counted, Relaxed);
    AFTER.store(wish.after.unwrap_or(TRAPS), Relaxed);
    if !wish.rewritten && !wish.counted {
        return;
    }
    *BRIEF.lock() = wish.brief;
    if wish.rewritten && wish.counted {
        let entries = contracts::processor::call_entries(false);
        UNCOUNTED.store(entries.map_or(0, |entries| entries.brief), Relaxed);
    }
    let entries = contracts::processor::call_entries(wish.counted).filter(|_| wish.rewritten);
    if let Some(CallEntries { any, brief, open, masked, cpuid }) = entries {
        let (cpuid, ticks) = cpuid.unwrap_or_default();
        [cpuid, ticks as usize].into_iter().zip(&CPUID).for_each(|(word, place)| place.store(word, Relaxed));
        MASKED.store(masked, Relaxed);
        OPEN.store(open, Relaxed);
        [any, brief].into_iter().zip(&ENTRIES).for_each(|(to, entry)| entry.store(to, Relaxed));
    }
}

/// Whether those that trap are counted, or rewritten.
#[must_use]
pub fn looks_at_system_calls() -> bool {
    COUNTS.load(Relaxed) || ENTRIES[0].load(Relaxed) != 0
}

/// What a program finds in AT_SYSINFO: where a C library that was compiled to call enters the kernel, by a jump with
/// the address behind it in r11 ([`CallEntries::open`]). `None` where calls trap.
#[must_use]
pub fn call_entry() -> Option<usize> {
    let open = if contracts::config().rewrite { OPEN.load(Relaxed) } else { 0 };
    (open != 0).then_some(open)
}

/// How stubs enter the kernel: each by the shortest way that its number has.
struct Doors(Jump);

impl Doors {
    fn any() -> Self {
        Self::by(&ENTRIES[0])
    }

    fn by(entry: &AtomicUsize) -> Self {
        let word = i32::try_from(ptr::from_ref(entry).addr().cast_signed());
        let to = word.map_or_else(|_| Target::Address(entry.load(Relaxed) as u64), Target::Word);
        Self(Jump { to, masked: MASKED.load(Relaxed) })
    }
}

impl Entry for Doors {
    fn length(&self) -> usize {
        self.0.length()
    }

    fn write(&self, call: &Call, to: &mut [u8]) {
        let is_brief = call.number.is_some_and(|number| BRIEF.lock().contains(&(number as usize)));
        Self::by(&ENTRIES[usize::from(is_brief)]).0.write(call, to);
    }
}

/// How a stub that loads its number enters where nothing is counted, if anything is rewritten.
pub(super) fn uncounted() -> Option<impl Entry> {
    (UNCOUNTED.load(Relaxed) != 0).then(|| Doors::by(&UNCOUNTED).0)
}

/// How stubs for `cpuid` enter, if any is rewritten, and the ticks that the processor takes.
#[inline(always)]
pub(super) fn cpuid_entry() -> Option<(CpuidEntry, u64)> {
    if !contracts::config().rewrite || !contracts::processor::answers_cpuid() {
        return None;
    }
    let [to, ticks] = [&CPUID[0], &CPUID[1]].map(|word| word.load(Relaxed) as u64);
    (to != 0).then_some((CpuidEntry(to), ticks))
}

fn entry() -> Option<Doors> {
    (contracts::config().rewrite && ENTRIES[0].load(Relaxed) != 0).then(Doors::any)
}

/// Whether an address may be in a stub.
fn is_near_stubs(at: usize) -> bool {
    contracts::config().rewrite && (STUBS[0].load(Relaxed)..STUBS[1].load(Relaxed)).contains(&at)
}

/// Whether a region is no business of the program's.
pub(super) fn is_stubs(region: &Region) -> bool {
    contracts::config().rewrite && region.kind == RegionKind::Stubs
}

/// What a file gave, and only the program's own processes see.
fn is_rewritable(region: &Region) -> bool {
    let Protection { write, execute, .. } = region.protection;
    execute && !write && !region.is_shared() && matches!(region.kind, RegionKind::Image | RegionKind::File)
}

/// The code around a site, for the patcher.
pub(super) struct ProgramCode<'a> {
    space: &'a SpaceHandle,
    regions: &'a mut Regions,
    limits: &'a Range<usize>,
    site: usize,
    /// Where stubs end at the latest.
    end: usize,
}

impl Code for ProgramCode<'_> {
    fn told(&self, at: u64) -> Told {
        self.regions.find(at as usize).map(|region| named_sites::told(region, at as usize)).unwrap_or_default()
    }

    fn read(&self, at: u64, bytes: &mut [u8]) -> bool {
        contracts::translations::read(self.space, at as usize, bytes).is_ok()
    }

    fn write(&mut self, at: u64, bytes: &[u8]) -> bool {
        let write = || contracts::translations::write_code(self.space, at as usize, bytes).is_ok();
        write() || self.bring_in(at as usize, bytes.len()) && write()
    }

    fn synchronize(&mut self) {
        contracts::processor::synchronize();
    }

    fn reserve(&mut self, wanted: &dyn Fn(Range<u64>) -> Option<u64>) -> Option<(Range<u64>, u64)> {
        if self.regions.count() >= MOST_REGIONS {
            return None;
        }
        // Below the code first: a program's heap grows upwards from it.
        let low = self.site.saturating_sub(REACH).max(self.limits.start);
        let high = self.site.saturating_add(REACH).min(self.end);
        let windows = [low..self.site, self.site..high];
        let (start, at) = windows.into_iter().find_map(|window| self.find(window, wanted))?;
        let area = start..start + AREA;
        contracts::translations::attach(self.space, area.clone(), STUBS_MAY, Source::Zero).ok()?;
        self.regions.insert(Region {
            start: area.start,
            end: area.end,
            protection: STUBS_MAY,
            source: Source::Zero,
            kind: RegionKind::Stubs,
            file: None,
            offset: 0,
            grows_down: false,
            larger: Larger::No,
            locked: false,
            sealed: false,
        });
        STUBS[0].fetch_min(area.start, Relaxed);
        STUBS[1].fetch_max(area.end, Relaxed);
        Some((area.start as u64..area.end as u64, at))
    }
}

impl ProgramCode<'_> {
    /// Has pages for stubs, which nobody has touched yet.
    fn bring_in(&self, at: usize, length: usize) -> bool {
        let pages = machine::page_align_down(at)..at.saturating_add(length);
        let is_stubs = |page| self.regions.find(page).is_some_and(is_stubs);
        pages.step_by(PAGE_SIZE).all(|page| {
            let populate = contracts::translations::populate;
            is_stubs(page) && populate(self.space, page, Access::Execute, STUBS_MAY, Source::Zero, Larger::No).is_ok()
        })
    }

    /// Where an area may begin in `window`, and where the first stub stands in it.
    fn find(&self, window: Range<usize>, wanted: &dyn Fn(Range<u64>) -> Option<u64>) -> Option<(usize, u64)> {
        let start = self.regions.highest_gap(AREA, window.clone())?;
        if let Some(at) = wanted(start as u64..(start + AREA) as u64) {
            return Some((start, at));
        }
        self.find_below(start, &window, wanted).or_else(|| self.find_from(window, wanted))
    }

    /// Where an area may begin in the areas below `end`, the nearest one first.
    fn find_below(
        &self,
        end: usize,
        window: &Range<usize>,
        wanted: &dyn Fn(Range<u64>) -> Option<u64>,
    ) -> Option<(usize, u64)> {
        let starts = (1..NEAR).filter_map(|index| end.checked_sub(index * AREA));
        let mut free = starts.filter(|&start| window.start <= start && self.in_the_way(start).is_none());
        free.find_map(|start| Some((start, wanted(start as u64..(start + AREA) as u64)?)))
    }

    /// The same from the window's start on.
    fn find_from(&self, window: Range<usize>, wanted: &dyn Fn(Range<u64>) -> Option<u64>) -> Option<(usize, u64)> {
        let mut from = window.start;
        for _ in 0..TRIES {
            let at = wanted(from as u64..window.end as u64)?;
            // The stub's end has to be in it too.
            let start = machine::page_align_down(at as usize);
            if start + AREA > window.end {
                return None;
            }
            match self.in_the_way(start) {
                None => return Some((start, at)),
                Some(region) => from = region.end,
            }
        }
        None
    }

    /// The region that an area which begins there would touch.
    fn in_the_way(&self, start: usize) -> Option<&Region> {
        self.regions.first_behind(start).filter(|region| region.guarded_start() < start + AREA)
    }
}

impl State {
    /// Where stubs for a site end at the latest: what lies behind the start of the program break is the heap's, which
    /// may grow as far as a stub may be.
    fn end_of_stubs(&self, limits: &Range<usize>, site: usize) -> usize {
        Some(self.program_break.start()).filter(|&start| start > site).unwrap_or(limits.end)
    }

    /// The patcher, and the code that it works on.
    fn patching<'a>(
        &'a mut self,
        space: &'a SpaceHandle,
        limits: &'a Range<usize>,
        site: usize,
    ) -> Option<(&'a mut Patcher, ProgramCode<'a>)> {
        let end = self.end_of_stubs(limits, site);
        let Self { regions, patcher, .. } = self;
        Some((Arc::make_mut(patcher.as_mut()?), ProgramCode { space, regions, limits, site, end }))
    }

    /// The same, where nothing may have trapped yet.
    pub(super) fn first_patching<'a>(
        &'a mut self,
        space: &'a SpaceHandle,
        limits: &'a Range<usize>,
        site: usize,
    ) -> Option<(&'a mut Patcher, ProgramCode<'a>)> {
        self.patcher.get_or_insert_with(new_patcher);
        self.patching(space, limits, site)
    }

    /// Whether a trap is not counted but noted: a few of a process that has its patcher in common with its parent, or a
    /// child. Most children end, or become other programs, before they have called anything often, and need no copy of
    /// it.
    fn passes_over(&mut self, behind: u64, number: u32) -> bool {
        let patcher = self.patcher.get_or_insert_with(new_patcher);
        let passes = Arc::strong_count(patcher) > 1 && self.uncounted < MOST_UNCOUNTED && !COUNTS.load(Relaxed);
        if passes {
            self.uncounted += 1;
            patcher.note(behind, number);
        }
        passes
    }

    /// Before the space is copied: what trapped in former copies is rewritten here, so that the next one need not trap.
    #[inline(always)]
    pub(super) fn learn(&mut self, space: &SpaceHandle, limits: &Range<usize>) {
        if contracts::config().rewrite && self.patcher.as_ref().is_some_and(|patcher| patcher.has_notes()) {
            self.learn_noted(space, limits);
        }
    }

    #[cold]
    #[inline(never)]
    fn learn_noted(&mut self, space: &SpaceHandle, limits: &Range<usize>) {
        let Some(entry) = entry() else { return };
        let noted = self.patcher.as_ref().map(|patcher| patcher.take_noted()).unwrap_or_default();
        for noted in noted {
            let behind = noted.0 as usize;
            let extent = self.extent_of(behind);
            let Some((patcher, mut code)) = self.patching(space, limits, behind) else { return };
            if extent.is_some_and(|extent| !patcher.trapped_in_copies(&mut code, &entry, noted, &extent)) {
                given_up(behind).store(behind, Relaxed);
            }
        }
        if let Some((patcher, mut code)) = self.patching(space, limits, limits.start) {
            patcher.believe_copies(&mut code);
        }
    }

    /// The code that the site before `behind` is in, if that may be rewritten.
    pub(super) fn extent_of(&self, behind: usize) -> Option<Range<u64>> {
        let region = self.regions.find(behind.wrapping_sub(1)).filter(|region| is_rewritable(region));
        region.map(|region| words(&region.range()))
    }

    /// The code around an address, for one who has no patcher.
    pub(super) fn code_near<'a>(
        &'a mut self,
        space: &'a SpaceHandle,
        limits: &'a Range<usize>,
        site: usize,
    ) -> ProgramCode<'a> {
        let end = self.end_of_stubs(limits, site);
        ProgramCode { space, regions: &mut self.regions, limits, site, end }
    }

    /// Whether the patcher may have anything in `range`.
    #[inline(always)]
    fn is_patched(&self, range: &PageRange) -> bool {
        contracts::config().rewrite && self.patcher.as_ref().is_some_and(|patcher| patcher.touches(&words(range)))
    }

    /// Gives the program its own code back in `range`, before something else may be done with it.
    #[inline(always)]
    pub(super) fn leave(&mut self, space: &SpaceHandle, limits: &Range<usize>, range: &PageRange) {
        if self.is_patched(range) {
            self.leave_rewritten(space, limits, range);
        }
    }

    #[cold]
    #[inline(never)]
    fn leave_rewritten(&mut self, space: &SpaceHandle, limits: &Range<usize>, range: &PageRange) {
        if let Some((patcher, mut code)) = self.patching(space, limits, range.start) {
            patcher.leave(&mut code, &words(range));
            GIVEN_UP.iter().for_each(|place| place.store(0, Relaxed));
        }
    }

    /// Forgets what was rewritten in `range`, which is about to be nobody's. Stubs there are given up: what leads to
    /// them becomes the program's own again.
    #[inline(always)]
    pub(super) fn release_code(&mut self, space: &SpaceHandle, range: &PageRange) {
        if self.is_patched(range) {
            self.release_rewritten(space, range);
        }
    }

    #[cold]
    #[inline(never)]
    fn release_rewritten(&mut self, space: &SpaceHandle, range: &PageRange) {
        let limits = range.clone();
        let length = entry().map_or(0, |entry| entry.length());
        if let Some((patcher, mut code)) = self.patching(space, &limits, range.start) {
            patcher.gone(length, &words(range));
            GIVEN_UP.iter().for_each(|place| place.store(0, Relaxed));
            patcher.give_up_stubs(&mut code, &words(range));
        }
    }
}

fn words(range: &PageRange) -> Range<u64> {
    range.start as u64..range.end as u64
}

impl AddressSpace {
    /// A system call has trapped.
    #[inline(always)]
    pub(crate) fn trapped(&self, context: &Context) {
        let counts = COUNTS.load(Relaxed);
        let is_given_up = || given_up(context.rip as usize).load(Relaxed) == context.rip as usize;
        if counts || ENTRIES[0].load(Relaxed) != 0 && !is_given_up() {
            self.count(entry(), context);
        }
    }

    #[inline(never)]
    fn count(&self, entry: Option<Doors>, context: &Context) {
        let Ok(number) = u32::try_from(context.number()) else { return };
        if ways::is_measuring() {
            return;
        }
        let behind = context.rip;
        let mut state = self.state.lock();
        if state.passes_over(behind, number) {
            return;
        }
        let extent = state.extent_of(behind as usize);
        let Some((patcher, mut code)) = state.patching(&self.handle, &self.limits, behind as usize) else { return };
        let Some(extent) = extent else { return patcher.trapped_elsewhere() };
        if !patcher.trapped(&mut code, entry.as_ref().map(|entry| entry as _), behind, number, &extent) {
            given_up(behind as usize).store(behind as usize, Relaxed);
        }
    }

    /// A system call came as a call: by a stub, or from code that was compiled to call.
    pub(crate) fn called(&self, context: &Context) {
        let (Some(entry), Ok(number)) = (entry(), u32::try_from(context.number())) else { return };
        let mut state = self.state.lock();
        let State { regions, patcher, .. } = &mut *state;
        let patcher = Arc::make_mut(patcher.get_or_insert_with(new_patcher));
        let code = || Some(words(&regions.find(context.rip as usize)?.range()));
        patcher.called(context.rip, number, &entry, code);
    }

    /// Whether a trap was brought about by what was rewritten: then the program goes on. Else it is shown its own code
    /// ([`AddressSpace::show_program`]).
    pub(crate) fn is_ours(&self, context: &mut Context, trap: &Trap) -> bool {
        if self.is_measured(context, trap) {
            return true;
        }
        let Some(entry) = entry() else { return false };
        if trap.kind == TrapKind::InvalidInstruction {
            let mut state = self.state.lock();
            let patching = state.patching(&self.handle, &self.limits, context.rip as usize);
            let to = patching.and_then(|(patcher, mut code)| patcher.fault(&mut code, context.rip, &entry));
            if let Some(to) = to {
                context.rip = to;
                return true;
            }
        }
        // A program that is single-stepped has seen this instruction already, as its own.
        self.show_program(context) && trap.kind == TrapKind::Debug
    }

    /// If the program was in a stub, has it be where it would be without. Answers whether it had just come there; then
    /// it still is there if it is single-stepped, so that it comes further.
    #[inline]
    pub(crate) fn show_program(&self, context: &mut Context) -> bool {
        is_near_stubs(context.rip as usize) && self.show_program_near(context)
    }

    #[inline(never)]
    fn show_program_near(&self, context: &mut Context) -> bool {
        const TRAP_FLAG: u64 = 0x100;
        let Some(entry) = entry() else { return false };
        let state = self.state.lock();
        let Some((program, begins)) = state.patcher.as_ref().and_then(|p| p.program_of(context.rip, &entry)) else {
            return false;
        };
        let stays = begins && context.rflags & TRAP_FLAG != 0;
        if !stays {
            context.rip = program;
        }
        stays
    }

    /// The path of the file that is mapped at this address, and which of its bytes is there.
    #[must_use]
    pub fn place_in_file(&self, at: usize) -> Option<(String, u64)> {
        let state = self.state.lock();
        let region = state.regions.find(at)?;
        Some((region.file.as_ref()?.path().to_owned(), region.offset + (at - region.start) as u64))
    }

    /// How many `cpuid` instructions the kernel answers in the processor's stead.
    #[must_use]
    pub fn answered_cpuids(&self) -> usize {
        self.state.lock().patcher.as_ref().map_or(0, |patcher| patcher.planted())
    }

    /// Each site of a system call that has trapped, by its address, and the others' sums.
    #[must_use]
    pub fn system_calls(&self) -> (Vec<Seen>, Others) {
        let state = self.state.lock();
        state.patcher.as_ref().map(|patcher| (patcher.sites().collect(), patcher.others())).unwrap_or_default()
    }
}
