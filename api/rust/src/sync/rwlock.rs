//! Many readers or one writer of a value.

use core::{
    fmt,
    ops::{Deref, DerefMut},
};

use kernel::task::RawReadWriteLock;

use super::{LockResult, TryLockError, TryLockResult};

/// A value that many threads can read or one can change.
#[derive(Default)]
pub struct RwLock<T: ?Sized>(lock_api::RwLock<RawReadWriteLock, T>);

/// The value of a [`RwLock`] that is held for reading.
#[must_use]
pub struct RwLockReadGuard<'a, T: ?Sized>(lock_api::RwLockReadGuard<'a, RawReadWriteLock, T>);

/// The value of a [`RwLock`] that is held for writing.
#[must_use]
pub struct RwLockWriteGuard<'a, T: ?Sized>(lock_api::RwLockWriteGuard<'a, RawReadWriteLock, T>);

impl<T> RwLock<T> {
    /// Held by nobody.
    pub const fn new(value: T) -> Self {
        Self(lock_api::RwLock::new(value))
    }

    /// The value.
    ///
    /// # Errors
    /// None.
    pub fn into_inner(self) -> LockResult<T> {
        Ok(self.0.into_inner())
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Waits until nobody writes.
    ///
    /// # Errors
    /// None.
    #[inline]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        Ok(RwLockReadGuard(self.0.read()))
    }

    /// The value to read, if nobody writes.
    ///
    /// # Errors
    /// [`TryLockError::WouldBlock`]: somebody writes.
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        self.0.try_read().map(RwLockReadGuard).ok_or(TryLockError::WouldBlock)
    }

    /// Waits until nobody reads or writes.
    ///
    /// # Errors
    /// None.
    #[inline]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        Ok(RwLockWriteGuard(self.0.write()))
    }

    /// The value to change, if nobody has it.
    ///
    /// # Errors
    /// [`TryLockError::WouldBlock`]: somebody has it.
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        self.0.try_write().map(RwLockWriteGuard).ok_or(TryLockError::WouldBlock)
    }

    /// Whether a thread panicked while it wrote: never.
    pub const fn is_poisoned(&self) -> bool {
        false
    }

    /// Nothing: it is never poisoned.
    pub const fn clear_poison(&self) {}

    /// The value of a lock that nobody else has.
    ///
    /// # Errors
    /// None.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        Ok(self.0.get_mut())
    }
}

impl<T> From<T> for RwLock<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLock<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lock = formatter.debug_struct("RwLock");
        match self.0.try_read() {
            Some(guard) => lock.field("data", &&*guard),
            None => lock.field("data", &"<locked>"),
        };
        lock.field("poisoned", &false).finish_non_exhaustive()
    }
}

macro_rules! guard {
    ($name:ident) => {
        impl<T: ?Sized> Deref for $name<'_, T> {
            type Target = T;

            #[inline]
            fn deref(&self) -> &T {
                &self.0
            }
        }

        impl<T: ?Sized + fmt::Debug> fmt::Debug for $name<'_, T> {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                (**self).fmt(formatter)
            }
        }

        impl<T: ?Sized + fmt::Display> fmt::Display for $name<'_, T> {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                (**self).fmt(formatter)
            }
        }
    };
}

guard!(RwLockReadGuard);
guard!(RwLockWriteGuard);

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
