//! The table of descriptors of a process (open(2), dup(2), close(2)): small numbers for open file descriptions.
//!
//! What a description is, the owner of the table says; descriptors are duplicates of each other if theirs is the same.
//! What leaves the table is handed back and never dropped in it: the end of a file may wait, and tables are locked.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

use alloc::vec::Vec;

use numbers::Numbers;

#[cfg(test)]
mod tests;

/// One descriptor: an open file description, and whether execve(2) closes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Descriptor<F> {
    /// The open file description, shared by duplicates.
    pub description: F,
    /// FD_CLOEXEC.
    pub close_on_exec: bool,
}

/// Why a table does not do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// No descriptor has this number, or none can have it (EBADF).
    NoDescriptor,
    /// All numbers below the limit are in use (EMFILE).
    Full,
}

/// Descriptors by number; the lowest free one is given out.
#[derive(Clone)]
pub struct Table<F> {
    entries: Vec<Option<Descriptor<F>>>,
    /// Those that are there.
    numbers: Numbers,
}

impl<F> Default for Table<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F> Table<F> {
    /// No descriptors.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: Vec::new(), numbers: Numbers::new() }
    }

    /// The descriptor at `number`.
    #[inline]
    pub fn get(&self, number: i32) -> Result<&Descriptor<F>, Refused> {
        // A negative one is more than there can be.
        self.entries.get(number as u32 as usize).and_then(Option::as_ref).ok_or(Refused::NoDescriptor)
    }

    /// Sets whether execve(2) closes `number`.
    #[inline]
    pub fn set_close_on_exec(&mut self, number: i32, close: bool) -> Result<(), Refused> {
        let index = usize::try_from(number).map_err(|_| Refused::NoDescriptor)?;
        let descriptor = self.entries.get_mut(index).and_then(Option::as_mut).ok_or(Refused::NoDescriptor)?;
        descriptor.close_on_exec = close;
        Ok(())
    }

    /// The lowest free number from `least` on and below `limit` (RLIMIT_NOFILE), for a descriptor that is placed there
    /// next.
    #[inline]
    pub fn free(&self, least: usize, limit: usize) -> Result<usize, Refused> {
        let number = self.numbers.lowest(least);
        if number < limit { Ok(number) } else { Err(Refused::Full) }
    }

    /// Puts `descriptor` at `number`, which is below the limit; what was there.
    #[inline]
    pub fn place(&mut self, descriptor: Descriptor<F>, number: usize) -> Option<Descriptor<F>> {
        self.slot(number).replace(descriptor)
    }

    /// As [`Table::place`], where [`Table::free`] has found nothing.
    #[inline]
    pub fn fill(&mut self, descriptor: Descriptor<F>, number: usize) {
        let slot = self.slot(number);
        debug_assert!(slot.is_none());
        *slot = Some(descriptor);
    }

    /// Where a descriptor goes that has `number` from now on.
    #[inline]
    fn slot(&mut self, number: usize) -> &mut Option<Descriptor<F>> {
        if number >= self.entries.len() {
            self.grow(number);
        }
        self.numbers.mark(number, true);
        &mut self.entries[number]
    }

    #[inline(never)]
    fn grow(&mut self, number: usize) {
        self.entries.resize_with(number + 1, || None);
    }

    /// Takes the descriptor at `number` out.
    #[inline]
    pub fn remove(&mut self, number: i32) -> Result<Descriptor<F>, Refused> {
        let index = usize::try_from(number).map_err(|_| Refused::NoDescriptor)?;
        let descriptor = self.entries.get_mut(index).and_then(Option::take).ok_or(Refused::NoDescriptor)?;
        self.numbers.mark(index, false);
        Ok(descriptor)
    }

    /// Takes out what execve(2) closes.
    pub fn close_on_execute(&mut self) -> Vec<Descriptor<F>> {
        let mut closed = Vec::new();
        for (number, entry) in self.entries.iter_mut().enumerate() {
            if let Some(descriptor) = entry.take_if(|descriptor| descriptor.close_on_exec) {
                self.numbers.mark(number, false);
                closed.push(descriptor);
            }
        }
        closed
    }

    /// All descriptors, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Descriptor<F>> {
        self.entries.iter().flatten()
    }

    /// All descriptors, in ascending order.
    pub fn into_all(self) -> impl Iterator<Item = Descriptor<F>> {
        self.entries.into_iter().flatten()
    }

    /// The lowest number in use from `least` on.
    #[must_use]
    pub fn next(&self, least: usize) -> Option<usize> {
        self.numbers.next(least)
    }
}

/// The number that a program names for a duplicate (dup2(2)), if one below `limit` can have it.
#[inline]
pub fn named(number: i32, limit: usize) -> Result<usize, Refused> {
    usize::try_from(number).ok().filter(|&number| number < limit).ok_or(Refused::NoDescriptor)
}
