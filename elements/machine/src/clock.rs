//! Time: what the machine counts, and one alarm.

/// A clock with one one-shot alarm. There is no periodic tick: a kernel that waits for nothing sets no alarm.
pub trait Clock: Sync {
    /// Nanoseconds since the machine started; never goes backwards.
    fn monotonic(&self) -> u64;

    /// Nanoseconds since 1970-01-01 00:00 UTC.
    fn wall(&self) -> u64;

    /// Asks for an interrupt when [`Clock::monotonic`] reaches `deadline`; `None` takes an earlier wish back.
    /// An alarm in the past fires at once. The interrupt only marks work as pending: see
    /// [`crate::Kernel::interrupted`].
    fn set_alarm(&self, deadline: Option<u64>);
}
