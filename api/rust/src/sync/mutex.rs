//! Mutual exclusion around a value.

use core::{
    fmt,
    ops::{Deref, DerefMut},
};

use kernel::task::RawMutex;

use super::{LockResult, TryLockError, TryLockResult};

/// A value that one thread at a time can have.
#[derive(Default)]
pub struct Mutex<T: ?Sized>(lock_api::Mutex<RawMutex, T>);

/// The value of a [`Mutex`] that is held.
#[must_use]
pub struct MutexGuard<'a, T: ?Sized>(pub(super) lock_api::MutexGuard<'a, RawMutex, T>);

impl<T> Mutex<T> {
    /// Held by nobody.
    pub const fn new(value: T) -> Self {
        Self(lock_api::Mutex::new(value))
    }

    /// The value.
    ///
    /// # Errors
    /// None.
    pub fn into_inner(self) -> LockResult<T> {
        Ok(self.0.into_inner())
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Waits for the value.
    ///
    /// # Errors
    /// None.
    #[inline]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        Ok(MutexGuard(self.0.lock()))
    }

    /// The value, if nobody has it.
    ///
    /// # Errors
    /// [`TryLockError::WouldBlock`]: somebody has it.
    #[inline]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        self.0.try_lock().map(MutexGuard).ok_or(TryLockError::WouldBlock)
    }

    /// Whether a thread panicked while it had the value: never.
    pub const fn is_poisoned(&self) -> bool {
        false
    }

    /// Nothing: it is never poisoned.
    pub const fn clear_poison(&self) {}

    /// The value of a mutex that nobody else has.
    ///
    /// # Errors
    /// None.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        Ok(self.0.get_mut())
    }
}

impl<T> From<T> for Mutex<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Mutex<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut mutex = formatter.debug_struct("Mutex");
        match self.0.try_lock() {
            Some(guard) => mutex.field("data", &&*guard),
            None => mutex.field("data", &"<locked>"),
        };
        mutex.field("poisoned", &false).finish_non_exhaustive()
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}
