//! The results of locking.

use core::{error, fmt};

/// Why a lock is not to be trusted: never.
pub struct PoisonError<T> {
    data: T,
}

/// The result of locking.
pub type LockResult<T> = Result<T, PoisonError<T>>;
/// The result of trying to lock.
pub type TryLockResult<T> = Result<T, TryLockError<T>>;

/// Why a lock was not taken.
pub enum TryLockError<T> {
    /// Never.
    Poisoned(PoisonError<T>),
    /// It is held.
    WouldBlock,
}

impl<T> PoisonError<T> {
    /// With what was locked.
    pub const fn new(data: T) -> Self {
        Self { data }
    }

    /// What was locked.
    pub fn into_inner(self) -> T {
        self.data
    }

    /// What was locked.
    pub const fn get_ref(&self) -> &T {
        &self.data
    }

    /// What was locked.
    pub const fn get_mut(&mut self) -> &mut T {
        &mut self.data
    }
}

impl<T> From<PoisonError<T>> for TryLockError<T> {
    fn from(error: PoisonError<T>) -> Self {
        Self::Poisoned(error)
    }
}

impl<T> fmt::Debug for PoisonError<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PoisonError").finish_non_exhaustive()
    }
}

impl<T> fmt::Display for PoisonError<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("poisoned lock: another task failed inside")
    }
}

impl<T> error::Error for PoisonError<T> {}

impl<T> fmt::Debug for TryLockError<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Poisoned(_) => formatter.write_str("Poisoned(..)"),
            Self::WouldBlock => formatter.write_str("WouldBlock"),
        }
    }
}

impl<T> fmt::Display for TryLockError<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Poisoned(_) => "poisoned lock: another task failed inside",
            Self::WouldBlock => "try_lock failed because the operation would block",
        })
    }
}

impl<T> error::Error for TryLockError<T> {}
