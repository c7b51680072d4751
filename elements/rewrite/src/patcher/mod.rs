//! The sites of one address space: which have trapped how often, and what has become of them.
//!
//! A site traps [`TRAPS`] times before anything is done for it. Then it is *staged*: its stub is written, and one byte
//! that faults where the `jmp` is to begin. Whoever executes that byte has proved that an instruction begins there;
//! then the `jmp` is written, and the site is *patched*. A site that still traps instead is given up.
//!
//! Nothing here trusts that a program's pages stay as they are: bytes are compared before they are believed. So pages
//! that somebody takes away or brings anew cost a few traps more, and nothing else. So it is with what is said of sites
//! before they trap ([`Told`]): one that another run has proven is staged at its first trap, and proves itself anew.

mod areas;
mod extents;
mod notes;
mod planted;
mod sites;
#[cfg(test)]
mod tests;

use alloc::{
    collections::{BTreeMap, btree_map},
    sync::Arc,
};
use core::ops::Range;

use smallvec::SmallVec;

use crate::{Entry, FAULTS, Left, Plan, SYSCALL, Site, plan::LONGEST, site::BEFORE};
use areas::Areas;
use extents::Extents;
use notes::Notes;
use sites::{Found, State};

pub use sites::{Others, Seen, Told};

/// Traps of a site before it is rewritten, if nobody says more.
pub const TRAPS: u32 = 8;

/// Traps of a staged site until it is given up: whoever comes there comes another way.
const PATIENCE: u32 = 16;

/// Sites that are remembered; more are neither counted nor rewritten.
const MOST: usize = 1 << 16;

/// Bytes behind a site that are looked at, too.
const BEHIND: usize = 32;

/// A program's code, as far as it is executable and nobody else's.
pub trait Code {
    /// What was said of the site at this address. Asked when it traps for the first time.
    fn told(&self, at: u64) -> Told {
        let _ = at;
        Told::Nothing
    }

    /// Reads bytes; `false` if they cannot be read.
    fn read(&self, at: u64, bytes: &mut [u8]) -> bool;

    /// Writes bytes, one as a whole; `false` if nothing was written.
    fn write(&mut self, at: u64, bytes: &[u8]) -> bool;

    /// Comes back when no processor executes any more what it fetched before.
    fn synchronize(&mut self);

    /// Makes addresses executable that nobody has: `wanted` says where in a free range the first stub is to be. Answers
    /// the range that was taken, and that place.
    fn reserve(&mut self, wanted: &dyn Fn(Range<u64>) -> Option<u64>) -> Option<(Range<u64>, u64)>;
}

/// What has been done for a site.
#[derive(Clone, Debug)]
struct Patch {
    plan: Plan,
    stub: u64,
    stage: Stage,
}

/// How far that has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The program has its own bytes. The stub is kept: somebody may be in it, and it serves again.
    Restored,
    /// The first byte faults.
    Staged,
    /// It did, at an instruction's beginning: the `jmp` is there.
    Proven,
}

impl Patch {
    fn range(&self) -> Range<u64> {
        self.plan.start()..self.plan.start() + self.plan.bytes().len() as u64
    }

    /// What stands in the place of the program's bytes.
    fn written(&self) -> SmallVec<[u8; 24]> {
        let mut bytes = SmallVec::from_slice(self.plan.bytes());
        match (self.stage, bytes.first_mut()) {
            (Stage::Proven, _) => self.plan.write(self.stub, &mut bytes),
            (Stage::Staged, Some(first)) => *first = FAULTS[0],
            _ => {}
        }
        bytes
    }

    /// Whether it is there.
    fn stands(&self, code: &dyn Code) -> bool {
        let mut bytes: SmallVec<[u8; 24]> = SmallVec::from_elem(0, self.plan.bytes().len());
        code.read(self.plan.start(), &mut bytes) && bytes == self.written()
    }
}

/// The sites of one address space.
#[derive(Clone, Debug)]
pub struct Patcher {
    /// By the address of the `syscall`.
    sites: BTreeMap<u64, Found>,
    /// By the address of their first byte.
    patches: BTreeMap<u64, Patch>,
    /// Where stubs are, and the first byte of whose patch each is.
    stubs: BTreeMap<u64, u64>,
    areas: Areas,
    /// Where there are sites or stubs: most pages whose rights change are neither, and programs change many.
    extents: Extents,
    others: Others,
    /// Traps of a site before it is rewritten.
    after: u32,
    /// What this space and its copies tell each other.
    notes: Arc<Notes>,
}

/// What copies of a space tell of one site: the address behind it, the call's number, and how often it has trapped.
pub type Noted = (u64, u32, u32);

impl Patcher {
    /// No site is known yet; each is rewritten `after` so many traps.
    #[must_use]
    pub fn new(after: u32) -> Self {
        Self {
            sites: BTreeMap::new(),
            patches: BTreeMap::new(),
            stubs: BTreeMap::new(),
            areas: Areas::new(),
            extents: Extents::new(),
            others: Others { elsewhere: 0, gone: [0; 2] },
            after,
            notes: Arc::default(),
        }
    }

    /// A `syscall` has trapped in a space that has all of this in common with a copy or an original, and goes on having
    /// it: it is only noted, for who of them is copied next.
    pub fn note(&self, behind: u64, number: u32) {
        self.notes.trapped(behind, number, self.after);
    }

    /// Whether copies have told something since this was asked last.
    #[must_use]
    pub fn has_notes(&self) -> bool {
        self.notes.take_ripe()
    }

    /// Takes what trapped in copies so often that it is to be rewritten here ([`Patcher::trapped_in_copies`]).
    pub fn take_noted(&self) -> SmallVec<[Noted; 4]> {
        self.notes.take_trapped(self.after).collect()
    }

    /// A site has trapped in copies, as in [`Patcher::trapped`]. What is staged by that is to be proven by a copy.
    pub fn trapped_in_copies(
        &mut self,
        code: &mut dyn Code,
        entry: &dyn Entry,
        (behind, number, traps): Noted,
        extent: &Range<u64>,
    ) -> bool {
        let goes_on = (0..traps).all(|_| self.trapped(code, Some(entry), behind, number, extent));
        let site = self.sites.get(&behind.wrapping_sub(SYSCALL as u64));
        if let Some(State::Rewritten(start)) = site.map(|site| site.state)
            && self.patches.get(&start).is_some_and(|patch| patch.stage == Stage::Staged)
        {
            self.notes.await_proof(start);
        }
        goes_on
    }

    /// Writes the `jmp` of each patch that a copy has proven: its code is this one's, as far as it has these notes.
    pub fn believe_copies(&mut self, code: &mut dyn Code) {
        let Self { notes, patches, .. } = self;
        for start in notes.take_proven() {
            if let Some(patch) = patches.get_mut(&start).filter(|patch| patch.stage == Stage::Staged) {
                prove(code, patch);
            }
        }
    }

    /// The code here is no more that of the copies.
    fn part(&mut self) {
        self.notes = Arc::default();
    }

    /// A `syscall` has trapped, with this number, and the program goes on at `behind`. `extent`: the addresses around
    /// it that belong to the same code; nothing outside is read or written. Without `entry` it is only counted. Answers
    /// whether more may come of it: a site that was given up stays what it is, as long as its code is.
    pub fn trapped(
        &mut self,
        code: &mut dyn Code,
        entry: Option<&dyn Entry>,
        behind: u64,
        number: u32,
        extent: &Range<u64>,
    ) -> bool {
        let at = behind.wrapping_sub(SYSCALL as u64);
        if self.sites.len() >= MOST && !self.sites.contains_key(&at) {
            return false;
        }
        let site = match self.sites.entry(at) {
            btree_map::Entry::Occupied(site) => site.into_mut(),
            btree_map::Entry::Vacant(place) => {
                self.extents.note(extent);
                place.insert(Found::new(number, code.told(at)))
            }
        };
        site.trapped(number);
        let Some(entry) = entry else { return true };
        match site.state {
            State::Counted if site.since >= site.enough(self.after) => {
                let number = site.number;
                let state = match self.stage(code, entry, at, number, extent) {
                    Ok(start) => State::Rewritten(start),
                    Err(left) => State::Left(left),
                };
                self.set(at, state);
            }
            // Whoever jumps right to the `syscall` traps; or the page is another one.
            State::Rewritten(start) if site.since.is_multiple_of(PATIENCE) => self.doubt(code, at, start),
            State::Left(_) => return false,
            _ => {}
        }
        true
    }

    /// A site's call of this number goes on at this address, in the program or in a stub: for reports. A site that has
    /// never trapped calls by itself; `extent` says the addresses that belong to its code.
    pub fn called(&mut self, back: u64, number: u32, entry: &dyn Entry, extent: impl FnOnce() -> Option<Range<u64>>) {
        let behind = self.program_of(back, entry).map_or(back, |(program, _)| program);
        let at = behind.wrapping_sub(SYSCALL as u64);
        if !self.sites.contains_key(&at) && self.sites.len() < MOST {
            let Some(extent) = extent().filter(|extent| extent.contains(&at)) else { return };
            self.extents.note(&extent);
            self.sites.insert(at, Found::new(number, Told::Nothing));
        }
        if let Some(site) = self.sites.get_mut(&at) {
            site.called(number);
        }
    }

    /// A system call has trapped outside of what may be rewritten: for reports.
    pub const fn trapped_elsewhere(&mut self) {
        self.others.elsewhere += 1;
    }

    /// What is known of no site, or of none that is left: for reports.
    #[must_use]
    pub const fn others(&self) -> Others {
        self.others
    }

    /// Looks why a site traps that was rewritten.
    fn doubt(&mut self, code: &mut dyn Code, at: u64, start: u64) {
        let Some(patch) = self.patches.get(&start) else { return self.set(at, State::Counted) };
        if patch.stage == Stage::Restored || !patch.stands(code) {
            self.restored(start);
            return self.set(at, State::Counted);
        }
        if patch.stage == Stage::Staged {
            self.restore(code, start);
            self.set(at, State::Left(Left::Unproven));
        }
    }

    fn set(&mut self, at: u64, state: State) {
        if let Some(site) = self.sites.get_mut(&at) {
            site.set(state);
        }
    }

    /// Writes the stub of a site, and the byte by which it proves itself. Answers the address of that.
    fn stage(
        &mut self,
        code: &mut dyn Code,
        entry: &dyn Entry,
        at: u64,
        number: Option<u32>,
        extent: &Range<u64>,
    ) -> Result<u64, Left> {
        let first = at.saturating_sub(BEFORE as u64).max(extent.start);
        let end = at.saturating_add((SYSCALL + BEHIND) as u64).min(extent.end);
        let mut window = [0; BEFORE + SYSCALL + BEHIND];
        let length = usize::try_from(end.saturating_sub(first)).unwrap_or(0);
        let bytes = window.get_mut(..length).ok_or(Left::NotThere)?;
        if at < first || !code.read(first, bytes) {
            return Err(Left::NotThere);
        }
        self.undo(first, bytes);
        let site = Site { code: bytes, address: first, at: (at - first) as usize, number, known: None };
        let plan = Plan::of(&site)?;
        let start = plan.start();
        let range = start..start + plan.bytes().len() as u64;
        if self.overlapping(&range).next().is_some() {
            return Err(Left::Neighbour);
        }
        let stub = self.stub_for(code, entry, &plan)?;
        if !code.write(start, &FAULTS[..1]) {
            return Err(Left::NotWritten);
        }
        code.synchronize();
        self.patches.insert(start, Patch { plan, stub, stage: Stage::Staged });
        Ok(start)
    }

    /// The stub that is there already, or a new one.
    fn stub_for(&mut self, code: &mut dyn Code, entry: &dyn Entry, plan: &Plan) -> Result<u64, Left> {
        if let Some(old) = self.patches.remove(&plan.start()) {
            if old.plan == *plan {
                return Ok(old.stub);
            }
            self.stubs.remove(&old.stub);
        }
        let length = plan.stub_length(entry.length());
        let stub = self.areas.take(code, plan, length).ok_or(Left::NoRoom)?;
        self.areas.newest().into_iter().for_each(|area| self.extents.note(area));
        if !code.write(stub, &plan.stub(stub, entry)) {
            self.areas.give_back(stub, length);
            return Err(Left::NotWritten);
        }
        self.stubs.insert(stub, plan.start());
        Ok(stub)
    }

    /// Makes of bytes that were read what they were before they were rewritten.
    fn undo(&self, first: u64, bytes: &mut [u8]) {
        let end = first + bytes.len() as u64;
        for patch in self.overlapping(&(first..end)) {
            for (at, &byte) in patch.range().zip(patch.plan.bytes()) {
                if let Some(place) = at.checked_sub(first).and_then(|at| bytes.get_mut(at as usize)) {
                    *place = byte;
                }
            }
        }
    }

    /// The patches that touch a range, the last one first.
    fn touching(&self, range: &Range<u64>) -> impl Iterator<Item = &Patch> {
        let start = range.start;
        let from = start.saturating_sub(LONGEST as u64);
        self.patches
            .range(from..range.end.max(from))
            .rev()
            .map(|(_, patch)| patch)
            .filter(move |p| p.range().end > start)
    }

    /// Those of them that have something in the place of the program's bytes.
    fn overlapping(&self, range: &Range<u64>) -> impl Iterator<Item = &Patch> {
        self.touching(range).filter(|patch| patch.stage != Stage::Restored)
    }

    /// The program executed what is no instruction, at `at`. Answers where it is to go on instead, if that was ours.
    pub fn fault(&mut self, code: &mut dyn Code, at: u64, entry: &dyn Entry) -> Option<u64> {
        let start = self.overlapping(&(at..at.saturating_add(1))).next()?.plan.start();
        let patch = self.patches.get_mut(&start)?;
        if !patch.stands(code) {
            return None;
        }
        if patch.stage == Stage::Staged && at == start {
            if !prove(code, patch) {
                return None;
            }
            self.notes.proven(start);
        }
        let offset = patch.plan.stub_of(at, entry.length()).filter(|_| patch.stage == Stage::Proven)?;
        Some(patch.stub + offset as u64)
    }

    /// The address in the program that stands for `at`, if that is in a stub; and whether it is the stub's beginning,
    /// so that nothing of the program has been executed since it came there.
    #[must_use]
    pub fn program_of(&self, at: u64, entry: &dyn Entry) -> Option<(u64, bool)> {
        let (&stub, start) = self.stubs.range(..=at).next_back()?;
        let patch = self.patches.get(start)?;
        let offset = usize::try_from(at - stub).ok()?;
        if offset >= patch.plan.stub_length(entry.length()) {
            return None;
        }
        let program = patch.plan.program_of(offset, entry.length());
        Some((program, program == patch.plan.start()))
    }

    /// Whether there may be sites or stubs in `range`: asked often, and soon answered.
    #[must_use]
    #[inline]
    pub fn touches(&self, range: &Range<u64>) -> bool {
        self.extents.touch(range)
    }

    /// Gives the program its own bytes back in `range`, which changes hands or rights, and forgets its sites.
    pub fn leave(&mut self, code: &mut dyn Code, range: &Range<u64>) {
        if !self.knows(range) {
            return;
        }
        let starts: SmallVec<[u64; 16]> = self.overlapping(range).map(|patch| patch.plan.start()).collect();
        for start in starts {
            self.restore(code, start);
        }
        self.forget(range);
        self.part();
    }

    fn forget(&mut self, range: &Range<u64>) {
        let Self { sites, others: Others { gone: [traps, calls], .. }, .. } = self;
        for (_, site) in sites.extract_if(range.clone(), |_, _| true) {
            *traps += site.traps;
            *calls += site.calls;
        }
    }

    /// What was in `range` is gone: its sites are forgotten, and who is in one of its stubs is lost as well. `entry`:
    /// bytes by which a stub enters the kernel.
    pub fn gone(&mut self, entry: usize, range: &Range<u64>) {
        if !self.knows(range) {
            return;
        }
        let starts: SmallVec<[u64; 16]> = self.touching(range).map(|patch| patch.plan.start()).collect();
        for start in starts {
            if let Some(patch) = self.patches.remove(&start) {
                self.stubs.remove(&patch.stub);
                self.areas.give_back(patch.stub, patch.plan.stub_length(entry));
            }
        }
        self.forget(range);
        self.part();
    }

    /// The stubs in `range` are about to be gone: what leads to them becomes the program's own again.
    pub fn give_up_stubs(&mut self, code: &mut dyn Code, range: &Range<u64>) {
        if !self.areas.give_up(range) {
            return;
        }
        self.part();
        let lost: SmallVec<[(u64, u64); 16]> = self.stubs.iter().map(|(&stub, &start)| (stub, start)).collect();
        for (stub, start) in lost.into_iter().filter(|(stub, _)| range.contains(stub)) {
            self.restore(code, start);
            self.patches.remove(&start);
            self.stubs.remove(&stub);
        }
    }

    /// Whether there is anything in `range`.
    fn knows(&self, range: &Range<u64>) -> bool {
        self.sites.range(range.clone()).next().is_some() || self.touching(range).next().is_some()
    }

    /// Writes a patch's own bytes back, the first one last: until then it faults.
    fn restore(&mut self, code: &mut dyn Code, start: u64) {
        let Some(patch) = self.patches.get(&start) else { return };
        if patch.stands(code) {
            let bytes = patch.plan.bytes();
            if patch.stage == Stage::Proven {
                code.write(start, &FAULTS[..1]);
                code.synchronize();
                code.write(start + 1, &bytes[1..]);
                code.synchronize();
            }
            code.write(start, &bytes[..1]);
            code.synchronize();
        }
        self.restored(start);
    }

    fn restored(&mut self, start: u64) {
        if let Some(patch) = self.patches.get_mut(&start) {
            patch.stage = Stage::Restored;
        }
    }

    fn proven(&self, start: u64) -> Option<&Patch> {
        self.patches.get(&start).filter(|patch| patch.stage == Stage::Proven)
    }

    /// What has become of each site.
    pub fn sites(&self) -> impl Iterator<Item = Seen> {
        self.sites.iter().map(|(&at, found)| {
            let kind = match found.state {
                State::Rewritten(start) => self.proven(start).map(|patch| patch.plan.kind()),
                _ => None,
            };
            found.seen(at, kind)
        })
    }
}

/// A staged patch has proven itself: its `jmp` is written, if its byte is still there. Answers whether it is.
fn prove(code: &mut dyn Code, patch: &mut Patch) -> bool {
    let proven = Patch { stage: Stage::Proven, ..patch.clone() };
    let written = patch.stands(code) && write(code, &proven);
    if written {
        *patch = proven;
    }
    written
}

/// Writes a `jmp` whose first byte faults already: first what faults at each instruction that it takes the place of,
/// then the rest of its bytes, and its first one when nobody executes the others any more.
fn write(code: &mut dyn Code, patch: &Patch) -> bool {
    let (start, bytes) = (patch.plan.start(), patch.written());
    let mut inner = false;
    for at in (1..bytes.len()).filter(|&at| patch.plan.has_boundary(at)) {
        if !code.write(start + at as u64, &bytes[at..=at]) {
            return false;
        }
        inner = true;
    }
    if inner {
        code.synchronize();
    }
    if !code.write(start + 1, &bytes[1..]) {
        return false;
    }
    code.synchronize();
    if !code.write(start, &bytes[..1]) {
        return false;
    }
    code.synchronize();
    true
}
