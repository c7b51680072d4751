//! Copies between the kernel and the application.

use unfilled::Unfilled;

use super::SpaceHandle;

/// An application address that cannot be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The first address of the copy that failed.
    pub address: usize,
}

declaration::contract! {
    user_memory = "copies across the border to a program, faults included";

    /// Copies across the border, to and from the address space that is active on this processor. A page that is not
    /// present is brought in on the way; an address outside the application's half, or in no region, is a [`Fault`],
    /// never a crash. Callers hold no lock that resolving a fault needs (the address space's).
    pub trait UserMemory: Sync {
        /// Copies `destination.len()` bytes from the application at `source`.
        fn copy_in(&self, destination: &mut [u8], source: usize) -> Result<(), Fault>;

        /// Fills the next `count` bytes of `to`, which has room for them, from the application at `source`. What comes
        /// before an address that fails is filled.
        fn fill(&self, to: &mut Unfilled<'_>, count: usize, source: usize) -> Result<(), Fault>;

        /// Copies `source` to the application at `destination`.
        fn copy_out(&self, destination: usize, source: &[u8]) -> Result<(), Fault>;

        /// Copies at most a page from the application at `source` if all of it is there, and says how many bytes;
        /// nothing is brought in. `None` if it is not there, or is not the application's: any part of `destination` may
        /// have been filled then. It asks nobody, so callers may hold whatever lock they like.
        #[inline(always)]
        fn copy_in_here(&self, destination: &mut [u8], source: usize) -> Option<core::num::NonZeroUsize>;

        /// Copies at most a page to the application at `destination`, under the same conditions.
        #[inline(always)]
        fn copy_out_here(&self, destination: usize, source: &[u8]) -> Option<core::num::NonZeroUsize>;

        /// The word at `address`, of any alignment, by one access: most of what system calls copy is one.
        fn read_word(&self, address: usize) -> Result<u64, Fault>;

        /// The same of half a word.
        fn read_half(&self, address: usize) -> Result<u32, Fault>;

        /// Puts a word at `address`, by one access.
        fn write_word(&self, address: usize, value: u64) -> Result<(), Fault>;

        /// The same with half a word.
        fn write_half(&self, address: usize, value: u32) -> Result<(), Fault>;

        /// Writes `new` to the word at `address` (a multiple of four) if `expected` is there, in one step that other
        /// processors see whole; what was there.
        fn compare_exchange(&self, address: usize, expected: u32, new: u32) -> Result<u32, Fault>;

        /// Writes `length` zero bytes at `destination`.
        fn zero(&self, destination: usize, length: usize) -> Result<(), Fault>;

        /// Copies a string from the application up to its NUL, which is not copied; `Ok(None)` when `destination` is
        /// full before a NUL came.
        fn copy_string(&self, destination: &mut [u8], source: usize) -> Result<Option<usize>, Fault>;

        /// Shows `fill` the `length` bytes at `address` as places where the kernel reaches them, one behind the other,
        /// so that a device can fill them. `false`, and `fill` is not called, where that cannot be: some of them cannot
        /// be stored to, are not the application's alone, or another processor may change them meanwhile. `space` is
        /// the one that is active on this processor.
        fn lend(&self, space: &SpaceHandle, address: usize, length: usize, fill: &mut dyn FnMut(&mut [&mut [u8]])) -> bool;

        /// Lets the kernel load and store by ordinary instructions what lies in the `length` bytes at `address`, at
        /// most a page, until [`UserMemory::close_place`] is called; no other copy may begin before that. `false`, and
        /// nothing is to be closed, where that cannot be: some of them cannot be stored to without a fault, are not the
        /// application's, or another processor may change them or their page meanwhile. It asks nobody.
        fn open_place(&self, address: usize, length: usize) -> bool;

        /// Ends what [`UserMemory::open_place`] began.
        fn close_place(&self);
    }
}
