//! The descriptor table of a process: [`descriptors::Table`] of open files, and Linux' numbers for what it refuses.

use alloc::{borrow::Cow, sync::Arc, vec::Vec};

use descriptors::Refused;
use linux_abi::{Errno, constants::OpenFlags};
use vfs::{Kind, Node};

use super::{description::Description, origin::Origin};

/// One descriptor: an open file, and whether execve(2) closes it.
pub type Descriptor = descriptors::Descriptor<Arc<Description>>;

/// Descriptors by number; the lowest free one is given out.
#[derive(Clone, Default)]
pub struct Table(descriptors::Table<Arc<Description>>);

/// Linux' number for what a table refuses.
const fn errno(refused: Refused) -> Errno {
    match refused {
        Refused::NoDescriptor => Errno::EBADF,
        Refused::Full => Errno::EMFILE,
    }
}

/// The number that a program names for a duplicate, if it is below `limit`; EBADF if not.
pub fn named(number: i32, limit: usize) -> Result<usize, Errno> {
    descriptors::named(number, limit).map_err(errno)
}

impl Table {
    /// No descriptors.
    #[must_use]
    pub const fn new() -> Self {
        Self(descriptors::Table::new())
    }

    /// Descriptors 0, 1 and 2 as the first program finds them: the console's three streams.
    #[must_use]
    pub fn standard_streams() -> Self {
        let mut table = Self::new();
        for (number, node) in fs::console::streams().into_iter().enumerate() {
            let node: Arc<dyn Node> = node;
            // The name is what ttyname(3) goes by.
            let is_terminal = node.kind() == Kind::Character;
            let origin = if is_terminal { Origin::Named(Cow::Borrowed(b"/dev/console")) } else { Origin::Pipe };
            let description = Description::new(node.clone(), node, OpenFlags::O_RDWR, origin);
            let none = table.place(Descriptor { description, close_on_exec: false }, number);
            debug_assert!(none.is_none());
        }
        table
    }

    /// The open file at `number`.
    #[inline(never)]
    pub fn get(&self, number: i32) -> Result<&Arc<Description>, Errno> {
        self.descriptor(number).map(|descriptor| &descriptor.description)
    }

    /// The same for the functions that most calls come through.
    #[inline(always)]
    pub fn get_in_line(&self, number: i32) -> Result<&Arc<Description>, Errno> {
        self.0.get(number).map(|descriptor| &descriptor.description).map_err(errno)
    }

    /// The descriptor at `number`.
    #[inline(never)]
    pub fn descriptor(&self, number: i32) -> Result<&Descriptor, Errno> {
        self.0.get(number).map_err(errno)
    }

    /// Sets whether execve(2) closes `number`.
    #[inline(never)]
    pub fn set_close_on_exec(&mut self, number: i32, close: bool) -> Result<(), Errno> {
        self.0.set_close_on_exec(number, close).map_err(errno)
    }

    /// The lowest free number from `least` on and below `limit` (RLIMIT_NOFILE), for a descriptor that is placed there
    /// next: EMFILE if there is none.
    #[inline]
    pub fn free(&self, least: usize, limit: usize) -> Result<usize, Errno> {
        self.0.free(least, limit).map_err(errno)
    }

    /// Puts `descriptor` at `number`, which is below the limit; returns what was there, to be dropped by the caller
    /// when the table is no longer locked.
    #[inline(never)]
    pub fn place(&mut self, descriptor: Descriptor, number: usize) -> Option<Descriptor> {
        self.0.place(descriptor, number)
    }

    /// As [`Table::place`], where [`Table::free`] has found nothing.
    #[inline]
    pub fn fill(&mut self, descriptor: Descriptor, number: usize) {
        self.0.fill(descriptor, number);
    }

    /// Takes the descriptor at `number` out.
    #[inline(never)]
    pub fn remove(&mut self, number: i32) -> Result<Descriptor, Errno> {
        self.remove_in_line(number)
    }

    /// The same for the function that most descriptors go by.
    #[inline(always)]
    pub fn remove_in_line(&mut self, number: i32) -> Result<Descriptor, Errno> {
        self.0.remove(number).map_err(errno)
    }

    /// Takes out what execve(2) closes, to be closed by the caller when the table is no longer locked.
    pub fn close_on_execute(&mut self) -> Vec<Descriptor> {
        self.0.close_on_execute()
    }

    /// All that is open, for what may wait and is not to be done with the table locked.
    #[inline(never)]
    pub fn all(&self) -> Vec<Arc<Description>> {
        self.0.iter().map(|descriptor| Arc::clone(&descriptor.description)).collect()
    }

    /// All descriptors, to be closed one by one.
    pub fn into_all(self) -> impl Iterator<Item = Descriptor> {
        self.0.into_all()
    }

    /// The lowest number in use from `least` on.
    #[must_use]
    pub fn next(&self, least: usize) -> Option<usize> {
        self.0.next(least)
    }
}
