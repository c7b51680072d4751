//! What getsockopt(2) and setsockopt(2) ask about.

use core::sync::atomic::Ordering;

use super::Socket;
use vfs::FileError;

/// Least and most bytes that a socket may be told to have under way (`net.core.wmem_max`).
const LEAST: usize = 4608;
const MOST: usize = 2 * super::CAPACITY;

impl Socket {
    /// Bytes that it may have under way.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity.load(Ordering::Relaxed)
    }

    /// Asks for room for so many bytes; twice that is given, within limits (socket(7)).
    pub fn set_capacity(&self, wanted: usize) {
        self.capacity.store(wanted.saturating_mul(2).clamp(LEAST, MOST), Ordering::Relaxed);
        self.changed.wake_all();
    }

    /// An option that means nothing here, by number below 64.
    #[must_use]
    pub fn option(&self, number: u32) -> bool {
        self.options.load(Ordering::Relaxed) >> number & 1 != 0
    }

    /// Sets it.
    pub fn set_option(&self, number: u32, value: bool) {
        let bit = 1 << number;
        if value {
            self.options.fetch_or(bit, Ordering::Relaxed);
        } else {
            self.options.fetch_and(!bit, Ordering::Relaxed);
        }
    }

    /// Sets how long a receive, or a send, waits, in nanoseconds; 0 is for ever.
    pub fn set_patience(&self, sends: bool, nanoseconds: u64) {
        self.patience[usize::from(sends)].store(nanoseconds, Ordering::Relaxed);
    }

    /// What went wrong, and is not told again.
    #[must_use]
    pub fn take_error(&self) -> Option<FileError> {
        self.state.lock().error.take()
    }

    /// Whether a message ends where a send ended: a stream has no such ends.
    #[must_use]
    pub fn keeps_messages(&self) -> bool {
        self.form() != super::Form::Stream
    }
}
