//! Buffers in a row.

use core::ops::{Deref, DerefMut};

/// A buffer to be written.
#[derive(Clone, Copy, Debug)]
pub struct IoSlice<'a>(&'a [u8]);

impl<'a> IoSlice<'a> {
    /// Of these bytes.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }
}

impl Deref for IoSlice<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0
    }
}

/// A buffer to be filled.
#[derive(Debug)]
pub struct IoSliceMut<'a>(&'a mut [u8]);

impl<'a> IoSliceMut<'a> {
    /// Of these bytes.
    #[must_use]
    pub const fn new(bytes: &'a mut [u8]) -> Self {
        Self(bytes)
    }
}

impl Deref for IoSliceMut<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0
    }
}

impl DerefMut for IoSliceMut<'_> {
    fn deref_mut(&mut self) -> &mut [u8] {
        self.0
    }
}
