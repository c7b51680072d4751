//! The moment that files' times are taken from.

/// The present moment, as files have it.
#[must_use]
pub fn now() -> vfs::Time {
    i64::try_from(contracts::clock::wall()).unwrap_or(i64::MAX)
}
