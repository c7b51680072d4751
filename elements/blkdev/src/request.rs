//! What is asked of a disk, and the memory that is lent for it.
#![allow(unsafe_code)]

use core::ptr::NonNull;

use crate::Error;

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Fill the parts from the disk.
    Read,
    /// Write the parts to the disk.
    Write,
    /// Make what has been written last. No parts.
    Flush,
}

/// A stretch of memory that a device may use for one request.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    start: NonNull<u8>,
    length: usize,
}

impl Part {
    /// Lends `length` bytes.
    ///
    /// # Safety
    /// Until the request is done they are readable and nobody writes them; for [`Operation::Read`] they are writable,
    /// and the device's alone.
    #[must_use]
    pub const unsafe fn new(start: NonNull<u8>, length: usize) -> Self {
        Self { start, length }
    }

    /// Lends bytes to be written.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self { start: NonNull::from(bytes).cast(), length: bytes.len() }
    }

    /// Lends bytes to be filled.
    #[must_use]
    pub fn of_mut(bytes: &mut [u8]) -> Self {
        Self { start: NonNull::from(&mut *bytes).cast(), length: bytes.len() }
    }

    /// Where it begins.
    #[must_use]
    pub const fn start(&self) -> NonNull<u8> {
        self.start
    }

    /// Its bytes.
    #[must_use]
    pub const fn length(&self) -> usize {
        self.length
    }

    /// Copies as many bytes as fit into it, for a device that is no hardware.
    ///
    /// # Safety
    /// It is of a request for [`Operation::Read`] that is under way.
    pub unsafe fn fill(&self, bytes: &[u8]) {
        let count = bytes.len().min(self.length);
        // SAFETY: the lender has promised so many bytes, to nobody else; ours are borrowed.
        unsafe { self.start.copy_from_nonoverlapping(NonNull::from(bytes).cast(), count) };
    }

    /// Copies its first bytes, as many as there is room for.
    ///
    /// # Safety
    /// It is of a request that is under way.
    pub unsafe fn copy_to(&self, bytes: &mut [u8]) {
        let count = bytes.len().min(self.length);
        // SAFETY: the lender has promised that so many bytes can be read; ours are borrowed.
        unsafe { self.start.copy_to_nonoverlapping(NonNull::from(bytes).cast(), count) };
    }
}

/// A request.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// What to do.
    pub operation: Operation,
    /// The first sector.
    pub sector: u64,
    /// The memory, one part behind the other: a multiple of [`crate::SECTOR`] in all, no part without a byte.
    parts: &'a [Part],
    /// Comes back when it is done.
    pub cookie: u32,
}

impl<'a> Request<'a> {
    /// A request.
    ///
    /// # Safety
    /// What the parts promise ([`Part::new`]) holds until the request is done or its queue has failed.
    #[must_use]
    pub const unsafe fn new(operation: Operation, sector: u64, parts: &'a [Part], cookie: u32) -> Self {
        Self { operation, sector, parts, cookie }
    }

    /// Its parts.
    #[must_use]
    pub const fn parts(&self) -> &'a [Part] {
        self.parts
    }

    /// Bytes in all.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(Part::length).sum()
    }
}

/// A request that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// Its cookie.
    pub cookie: u32,
    /// How it went.
    pub result: Result<(), Error>,
}

impl Done {
    /// A place for one.
    pub const NONE: Self = Self { cookie: 0, result: Ok(()) };
}
