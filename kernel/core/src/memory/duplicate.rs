//! A second address space like this one.

use alloc::{sync::Arc, vec::Vec};
use core::{
    any::Any,
    mem::ManuallyDrop,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
};

use regions::{FileReference, Region, Regions};
use sync::Mutex;

use super::{AddressSpace, MemoryError, fault::granted_first, limits::Account, space::State};

impl AddressSpace {
    /// A new address space with the same mappings, which has copies of what is private here; the file's pages come when
    /// they are touched. Locks stay behind (mlock(2)). Threads that store meanwhile are the caller's to stop: a copy
    /// has each page as it is at some moment. Shared memory without a file is copied like private one: whoever makes a
    /// second process gives it a file.
    ///
    /// Files know the copy by what `known_as` makes of it ([`regions::MappedFile::show_in`]), which is answered, too.
    /// They learn of it while this space forgets none of their pages: a machine that copies spaces whole has copied
    /// what is shown here of them.
    pub fn duplicate<Known: Any>(
        &self,
        known_as: impl FnOnce(&Arc<Self>) -> Known,
    ) -> Result<(Arc<Self>, Known), MemoryError> {
        let mut state = self.state.lock();
        state.learn(&self.handle, &self.limits);
        let copy = Arc::new(self.empty_copy(&state)?);
        let mut copied = copy.state.lock();
        let mut copies: Vec<(FileReference, FileReference)> = Vec::new();
        for region in state.regions.iter() {
            let file = region.file.as_ref().map(|file| copy_of(file, &mut copies));
            let region = Region { locked: false, file, ..region.clone() };
            if contracts::translations::copies_whole() {
                copied.regions.insert(region);
                continue;
            }
            let range = region.range();
            contracts::translations::attach(
                &copy.handle,
                range.clone(),
                granted_first(region.protection),
                region.source,
            )?;
            copied.regions.insert(region);
            contracts::translations::duplicate(&self.handle, &copy.handle, range)?;
        }
        if state.account.counts() {
            copied.begin_count();
        }
        let known = known_as(&copy);
        copied.regions.iter().filter_map(|region| region.file.as_ref()).for_each(|file| file.show_in(&known));
        drop(copied);
        Ok((copy, known))
    }

    fn empty_copy(&self, state: &State) -> Result<Self, MemoryError> {
        let (map_ceiling, program_break) = (state.map_ceiling, state.program_break);
        let regions = Regions::with_capacity(16);
        // Code that was rewritten is copied as it is, and so are the stubs.
        let patcher =
            ManuallyDrop::new(if contracts::config().rewrite { state.patcher.as_ref().cloned() } else { None });
        let handle = if contracts::translations::copies_whole() {
            contracts::translations::make_copy(&self.handle)?
        } else {
            contracts::translations::make()?
        };
        let (account, left) = (Account::default(), Vec::new());
        let empty = State { regions, map_ceiling, program_break, account, left, patcher, uncounted: 0 };
        Ok(Self {
            handle,
            limits: self.limits.clone(),
            stack_limit: AtomicUsize::new(self.stack_limit.load(Relaxed)),
            shown: AtomicBool::new(true),
            shares: AtomicBool::new(self.shares.load(Relaxed)),
            bounds: self.bounds.inherited(),
            state: Mutex::new(empty),
        })
    }
}

/// What a copy has of a file, one for all regions that have the same.
fn copy_of(file: &FileReference, copies: &mut Vec<(FileReference, FileReference)>) -> FileReference {
    if let Some((_, copy)) = copies.iter().find(|(original, _)| original == file) {
        return copy.clone();
    }
    let Some(copy) = file.copied() else { return file.clone() };
    copies.push((file.clone(), copy.clone()));
    copy
}
