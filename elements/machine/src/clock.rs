//! Time: what the machine counts.

use crate::Source;

/// A clock. Whoever wants to be woken uses [`crate::Alarm`].
pub trait Clock: Sync {
    /// Nanoseconds since the machine started; never goes backwards.
    fn monotonic(&self) -> u64;

    /// Nanoseconds since 1970-01-01 00:00 UTC.
    fn wall(&self) -> u64;

    /// A page by which programs read this clock without entering the kernel: a Linux vDSO (vdso(7)), to be mapped for
    /// reading and executing. `None` if there is none. Whoever asks shows it to a program.
    fn program_page(&self) -> Option<Source> {
        None
    }
}
