//! Stacks that grow: regions that take in the addresses below them as those are touched (MAP_GROWSDOWN in mmap(2)).

use core::sync::atomic::Ordering;

use machine::{PAGE_SIZE, Protection};
use regions::{Region, STACK_GAP};

use super::{AddressSpace, fault::granted_first, space::State};

/// Bytes by which a stack grows at once, where there is room: on a host each time costs a host call.
const STEP: usize = 32 * PAGE_SIZE;

impl AddressSpace {
    /// Sets how many bytes a region that grows down may reach (RLIMIT_STACK).
    pub fn set_stack_limit(&self, bytes: usize) {
        self.stack_limit.store(bytes, Ordering::Relaxed);
    }

    /// Extends the region above `page`, which is in none, down to it, if it is one that grows, may become so large, and
    /// stays apart from the region below. The region that then holds it.
    #[cold]
    pub(super) fn grow_stack<'s>(&self, state: &'s mut State, page: usize) -> Option<&'s Region> {
        let stack = state.regions.first_behind(page).filter(|region| region.grows_down)?.clone();
        let lowest = self.lowest_start(state, &stack, page);
        if page < lowest {
            return None;
        }
        let range = page.saturating_sub(STEP - PAGE_SIZE).max(lowest)..stack.start;
        contracts::translations::attach(&self.handle, range.clone(), granted_first(stack.protection), stack.source)
            .ok()?;
        if state.account.counts() {
            state.account.add(&stack, range.len());
        }
        state.regions.insert(Region { start: range.start, end: range.end, ..stack });
        state.regions.find(page)
    }

    /// The lowest address to which `stack` may grow now.
    fn lowest_start(&self, state: &State, stack: &Region, page: usize) -> usize {
        let limit = machine::page_align_down(self.stack_limit.load(Ordering::Relaxed));
        let by_size = stack.end.saturating_sub(limit);
        let by_neighbour = state.regions.last_below(page).map_or(0, |below| {
            let apart = !below.grows_down && below.protection != Protection::default();
            below.end + if apart { STACK_GAP } else { 0 }
        });
        by_size.max(by_neighbour).max(self.limits.start)
    }
}
