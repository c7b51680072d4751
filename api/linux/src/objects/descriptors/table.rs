//! The descriptor table of a process.

use alloc::{borrow::Cow, sync::Arc, vec::Vec};

use linux_abi::{Errno, constants::O_RDWR};
use vfs::{Kind, Node, numbers::Numbers};

use super::{description::Description, origin::Origin};

/// One descriptor: an open file, and whether execve(2) closes it.
#[derive(Clone)]
pub struct Descriptor {
    /// The open file, shared by duplicates.
    pub description: Arc<Description>,
    /// FD_CLOEXEC.
    pub close_on_exec: bool,
}

/// Descriptors by number; the lowest free one is given out.
#[derive(Clone, Default)]
pub struct Table {
    entries: Vec<Option<Descriptor>>,
    /// Those that are there.
    numbers: Numbers,
}

impl Table {
    /// No descriptors.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: Vec::new(), numbers: Numbers::new() }
    }

    /// Descriptors 0, 1 and 2 as the first program finds them: the console's three streams.
    #[must_use]
    pub fn standard_streams() -> Self {
        let stream = |node: Arc<dyn Node>| {
            // The name is what ttyname(3) goes by.
            let is_terminal = node.kind() == Kind::Character;
            let origin = if is_terminal { Origin::Named(Cow::Borrowed(b"/dev/console")) } else { Origin::Pipe };
            let description = Description::new(node.clone(), node, O_RDWR, origin);
            Some(Descriptor { description, close_on_exec: false })
        };
        let mut numbers = Numbers::new();
        (0..3).for_each(|number| numbers.mark(number, true));
        Self { entries: fs::console::streams().map(stream).into(), numbers }
    }

    /// The open file at `number`.
    #[inline(never)]
    pub fn get(&self, number: i32) -> Result<&Arc<Description>, Errno> {
        self.descriptor(number).map(|descriptor| &descriptor.description)
    }

    /// The descriptor at `number`.
    #[inline(never)]
    pub fn descriptor(&self, number: i32) -> Result<&Descriptor, Errno> {
        let index = usize::try_from(number).map_err(|_| Errno::EBADF)?;
        self.entries.get(index).and_then(Option::as_ref).ok_or(Errno::EBADF)
    }

    /// Sets whether execve(2) closes `number`.
    #[inline(never)]
    pub fn set_close_on_exec(&mut self, number: i32, close: bool) -> Result<(), Errno> {
        let index = usize::try_from(number).map_err(|_| Errno::EBADF)?;
        let descriptor = self.entries.get_mut(index).and_then(Option::as_mut).ok_or(Errno::EBADF)?;
        descriptor.close_on_exec = close;
        Ok(())
    }

    /// The lowest free number from `least` on and below `limit` (RLIMIT_NOFILE), for a descriptor that is placed there
    /// next: EMFILE if there is none.
    #[inline(never)]
    pub fn free(&self, least: usize, limit: usize) -> Result<usize, Errno> {
        let number = self.numbers.lowest(least);
        if number >= limit {
            return Err(Errno::EMFILE);
        }
        Ok(number)
    }

    /// Puts `descriptor` at `number`, which is below the limit; returns what was there, to be dropped by the caller
    /// when the table is no longer locked.
    #[inline(never)]
    pub fn place(&mut self, descriptor: Descriptor, number: usize) -> Option<Descriptor> {
        if number >= self.entries.len() {
            self.entries.resize_with(number + 1, || None);
        }
        self.numbers.mark(number, true);
        self.entries[number].replace(descriptor)
    }

    /// Takes the descriptor at `number` out.
    #[inline(never)]
    pub fn remove(&mut self, number: i32) -> Result<Descriptor, Errno> {
        let index = usize::try_from(number).map_err(|_| Errno::EBADF)?;
        let descriptor = self.entries.get_mut(index).and_then(Option::take).ok_or(Errno::EBADF)?;
        self.numbers.mark(index, false);
        Ok(descriptor)
    }

    /// Takes out what execve(2) closes, to be closed by the caller when the table is no longer locked.
    pub fn close_on_execute(&mut self) -> Vec<Descriptor> {
        let mut closed = Vec::new();
        for (number, entry) in self.entries.iter_mut().enumerate() {
            if let Some(descriptor) = entry.take_if(|descriptor| descriptor.close_on_exec) {
                self.numbers.mark(number, false);
                closed.push(descriptor);
            }
        }
        closed
    }

    /// All that is open, for what may wait and is not to be done with the table locked.
    #[inline(never)]
    pub fn all(&self) -> Vec<Arc<Description>> {
        self.entries.iter().flatten().map(|descriptor| Arc::clone(&descriptor.description)).collect()
    }

    /// The lowest number in use from `least` on.
    #[must_use]
    pub fn next(&self, least: usize) -> Option<usize> {
        self.numbers.next(least)
    }
}
