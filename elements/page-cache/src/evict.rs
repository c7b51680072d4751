//! Letting go of pages.

use alloc::vec::Vec;

use vfs::FileError;

use super::{
    Contents,
    pool::{Effort, Member},
    table::Entry,
};

impl Member for Contents {
    fn let_go(&self, wanted: usize, effort: Effort) -> usize {
        if effort == Effort::All && self.state.try_lock().is_some_and(|state| state.stored) {
            // What cannot be written back stays.
            let _ = self.flush(0..u64::MAX);
        }
        // Who holds this lock may be the one who needs memory.
        let Some(mut state) = self.state.try_lock() else { return 0 };
        let victims = state.victims(wanted, effort);
        drop(state);
        let mut shown = victims.iter().filter(|(_, entry)| entry.shown).map(|&(number, _)| number);
        if let Some(first) = shown.next() {
            let last = shown.next_back().unwrap_or(first);
            self.mappings.forget(first..last + 1);
        }
        victims.len()
    }

    fn write_back(&self) -> Result<(), FileError> {
        self.flush(0..u64::MAX)
    }
}

impl super::contents::State {
    /// Takes pages out of the table, from the hand on.
    fn victims(&mut self, wanted: usize, effort: Effort) -> Vec<(u64, Entry)> {
        let mut victims = Vec::new();
        if self.flushing > 0 {
            return victims;
        }
        for _ in 0..self.table.count() {
            if victims.len() >= wanted {
                break;
            }
            let Some(number) = self.table.next(self.hand).or_else(|| self.table.next(0)) else { break };
            self.hand = number + 1;
            let Some(entry) = self.table.get_mut(number) else { break };
            if entry.dirty || entry.shown && effort == Effort::Little || core::mem::take(&mut entry.used) {
                continue;
            }
            victims.extend(self.table.remove(number).map(|entry| (number, entry)));
        }
        victims
    }
}
