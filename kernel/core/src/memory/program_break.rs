//! The program break (brk(2)): a region that grows and shrinks at its end.

use machine::{PAGE_SIZE, Protection, Source, page_align_up};
use regions::RegionKind;

use super::{AddressSpace, MapRequest, Placement, space::State};

/// Where the heap of brk(2) begins and ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ProgramBreak {
    start: usize,
    end: usize,
}

impl ProgramBreak {
    /// Where the heap begins; 0 before anybody has said.
    pub(super) const fn start(&self) -> usize {
        self.start
    }
}

impl AddressSpace {
    /// Sets where the break begins: behind the program's last segment, page-aligned.
    pub fn set_break_start(&self, address: usize) {
        self.state.lock().program_break = ProgramBreak { start: address, end: address };
    }

    /// Moves the break to `wanted` if that is possible; returns the break then in force, as the system call does.
    pub fn program_break(&self, wanted: usize) -> usize {
        let mut state = self.state.lock();
        let current = state.program_break;
        let (Some(old_top), Some(new_top)) = (page_align_up(current.end), page_align_up(wanted)) else {
            return current.end;
        };
        if wanted < current.start
            || !self.may_break(wanted - current.start)
            || !self.move_top(&mut state, old_top, new_top)
        {
            return current.end;
        }
        state.program_break.end = wanted;
        wanted
    }

    fn move_top(&self, state: &mut State, old: usize, new: usize) -> bool {
        if new < old {
            if state.may_change(&(new..old)).is_err() {
                return false;
            }
            state.release(&self.handle, &(new..old));
            return true;
        }
        if new == old {
            return true;
        }
        // One page stays free above, so that the heap never touches its neighbour.
        if new >= self.limits.end || !state.regions.is_free(&(old..new + PAGE_SIZE)) {
            return false;
        }
        let request = MapRequest {
            address: old,
            length: new - old,
            placement: Placement::FixedNoReplace,
            protection: Protection { read: true, write: true, execute: false },
            source: Source::Zero,
            kind: RegionKind::Heap,
            file: None,
            offset: 0,
            reserve: true,
            grows_down: false,
        };
        Self::refuse_hopeless(&request, new - old).is_ok() && self.map_locked(state, &request, new - old).is_ok()
    }
}
