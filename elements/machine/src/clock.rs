//! Time: what the machine counts.

/// A clock. Whoever wants to be woken uses [`crate::Alarm`].
pub trait Clock: Sync {
    /// Nanoseconds since the machine started; never goes backwards.
    fn monotonic(&self) -> u64;

    /// Nanoseconds since 1970-01-01 00:00 UTC.
    fn wall(&self) -> u64;
}
