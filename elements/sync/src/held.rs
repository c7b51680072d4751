//! Nobody sleeps with a spin lock held: another thread of the same processor would spin for ever.
//!
//! Programs of the host that are built with debug assertions, as tests are, count the spin locks that each of their
//! threads holds. [`might_sleep`] stands where a wait may begin, also where it seldom does, and asks the count. In a
//! kernel it is nothing; there, a thread that finds a spin lock held where there is one processor panics
//! (`mutex.rs`).

#[cfg(all(debug_assertions, not(target_os = "none"), not(loom)))]
mod counted {
    extern crate std;

    use core::cell::Cell;

    std::thread_local! {
        static HELD: Cell<usize> = const { Cell::new(0) };
    }

    /// One more is held.
    pub fn one_more() {
        HELD.set(HELD.get() + 1);
    }

    /// One is given back. A guard may have come from another thread.
    pub fn one_less() {
        HELD.set(HELD.get().saturating_sub(1));
    }

    /// A wait may begin here: panics if the caller holds a spin lock.
    #[track_caller]
    pub fn might_sleep() {
        assert!(HELD.get() == 0, "a spin lock is held where a wait may begin");
    }
}

#[cfg(not(all(debug_assertions, not(target_os = "none"), not(loom))))]
mod counted {
    /// Not counted here.
    #[inline(always)]
    pub const fn one_more() {}

    /// Not counted here.
    #[inline(always)]
    pub const fn one_less() {}

    /// A wait may begin here.
    #[inline(always)]
    pub const fn might_sleep() {}
}

pub use counted::might_sleep;
pub(crate) use counted::{one_less, one_more};
