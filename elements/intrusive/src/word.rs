//! Words that a lock elsewhere guards: plain loads and stores.
//!
//! They are relaxed atomics, so forgetting the lock is a mistake in logic and not undefined behaviour. Under `loom`
//! they are cells that complain when two threads reach them without an order between.

#[cfg(not(loom))]
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};

use crate::Ref;

/// A number in a member or structure.
#[derive(Debug, Default)]
pub struct Word(Raw64);

impl Word {
    /// Holding `value`.
    #[must_use]
    pub const fn new(value: u64) -> Self {
        Self(Raw64::new(value))
    }

    /// The number.
    #[inline]
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load()
    }

    /// Replaces the number.
    #[inline]
    pub fn set(&self, value: u64) {
        self.0.store(value);
    }
}

/// A place for a member, or none.
pub struct Link<T>(RawPointer<T>);

impl<T> Link<T> {
    /// Empty.
    #[must_use]
    pub const fn new() -> Self {
        Self(RawPointer::new(core::ptr::null_mut()))
    }

    /// The member.
    #[inline]
    #[must_use]
    pub fn get(&self) -> Option<Ref<T>> {
        Ref::held(self.0.load())
    }

    /// Replaces it.
    #[inline]
    pub fn set(&self, member: Option<Ref<T>>) {
        self.0.store(member.map_or(core::ptr::null_mut(), |member| member.pointer().as_ptr()));
    }
}

impl<T> Default for Link<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> core::fmt::Debug for Link<T> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(out, "Link({:?})", self.get())
    }
}

#[cfg(not(loom))]
#[derive(Debug, Default)]
struct Raw64(AtomicU64);

#[cfg(not(loom))]
impl Raw64 {
    const fn new(value: u64) -> Self {
        Self(AtomicU64::new(value))
    }

    #[inline]
    fn load(&self) -> u64 {
        self.0.load(Relaxed)
    }

    #[inline]
    fn store(&self, value: u64) {
        self.0.store(value, Relaxed);
    }
}

#[cfg(not(loom))]
struct RawPointer<T>(AtomicPtr<T>);

#[cfg(not(loom))]
impl<T> RawPointer<T> {
    const fn new(value: *mut T) -> Self {
        Self(AtomicPtr::new(value))
    }

    #[inline]
    fn load(&self) -> *mut T {
        self.0.load(Relaxed)
    }

    #[inline]
    fn store(&self, value: *mut T) {
        self.0.store(value, Relaxed);
    }
}

#[cfg(loom)]
type Raw64 = watched::Watched<u64>;
#[cfg(loom)]
type RawPointer<T> = watched::Watched<*mut T>;

#[cfg(loom)]
mod watched {
    use std::sync::OnceLock;

    /// A cell of loom's, made at its first use: loom's own cannot be made in a constant.
    #[derive(Debug, Default)]
    pub struct Watched<V>(OnceLock<loom::cell::Cell<V>>, V);

    // SAFETY: loom runs one thread at a time, and ends the test when two reach the cell without an order between.
    unsafe impl<V> Sync for Watched<V> {}
    // SAFETY: as above.
    unsafe impl<V> Send for Watched<V> {}

    impl<V: Copy> Watched<V> {
        pub const fn new(value: V) -> Self {
            Self(OnceLock::new(), value)
        }

        pub fn load(&self) -> V {
            self.0.get_or_init(|| loom::cell::Cell::new(self.1)).get()
        }

        pub fn store(&self, value: V) {
            self.0.get_or_init(|| loom::cell::Cell::new(self.1)).set(value);
        }
    }
}
