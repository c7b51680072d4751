//! A value that is made once.
//!
//! Unsafe: who finds it made may read it, as nobody writes it any more.
#![allow(unsafe_code)]

use core::{cell::UnsafeCell, fmt};

use sync::blocking::{Once, Progress};

use super::Threads;

/// A place for a value that the first who comes makes, while others wait.
pub struct OnceValue<T> {
    once: Once<Threads>,
    value: UnsafeCell<Option<T>>,
}

// SAFETY: a value may be made by one thread and taken by another, and read by all.
unsafe impl<T: Send + Sync> Sync for OnceValue<T> {}

impl<T> OnceValue<T> {
    /// Without a value.
    #[must_use]
    pub const fn new() -> Self {
        Self { once: Once::new(), value: UnsafeCell::new(None) }
    }

    /// The value, if it has been made.
    #[inline]
    pub fn get(&self) -> Option<&T> {
        // SAFETY: it is written before it is done, and by nobody afterwards.
        (self.once.progress() == Progress::Done).then(|| unsafe { (*self.value.get()).as_ref() })?
    }

    /// The value of a place that nobody else has.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.value.get_mut().as_mut()
    }

    /// The value, made now if it has not been. Who asks for it while making it waits for ever.
    #[inline]
    pub fn get_or_make(&self, make: impl FnOnce() -> T) -> &T {
        match self.get() {
            Some(value) => value,
            None => self.make(make),
        }
    }

    #[cold]
    fn make(&self, make: impl FnOnce() -> T) -> &T {
        self.once.call(|| {
            let value = make();
            // SAFETY: nobody reads before it is done, and one at a time is here.
            unsafe { *self.value.get() = Some(value) };
            true
        });
        self.get().expect("it is done")
    }

    /// Takes the value out: nobody else has the place.
    pub fn take(&mut self) -> Option<T> {
        self.once = Once::new();
        self.value.get_mut().take()
    }
}

impl<T> Default for OnceValue<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for OnceValue<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut value = formatter.debug_tuple("OnceLock");
        match self.get() {
            Some(it) => value.field(it),
            None => value.field(&format_args!("<uninit>")),
        };
        value.finish()
    }
}

#[cfg(test)]
mod tests {
    use alloc::sync::Arc;

    use super::*;

    #[test]
    fn a_value_is_made_once_and_dropped_once() {
        let owner = Arc::new(());
        let mut value = OnceValue::new();
        assert!(value.get().is_none() && value.get_mut().is_none());
        assert!(Arc::ptr_eq(value.get_or_make(|| Arc::clone(&owner)), &owner));
        value.get_or_make(|| unreachable!("it is there"));
        assert_eq!(Arc::strong_count(&owner), 2);
        assert!(value.take().is_some() && value.get().is_none() && value.take().is_none());
        value.get_or_make(|| Arc::clone(&owner));
        drop(value);
        assert_eq!(Arc::strong_count(&owner), 1);
    }
}
