//! The kernel's threads, for locks that let them sleep.
//!
//! Unsafe: says whether threads take turns.
#![allow(unsafe_code)]

use core::task::Waker;

use super::{current, park, sleep_once, wait::borrowed_waker};
use crate::processor::alone;

/// The parameter of `sync::blocking`'s locks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threads;

// SAFETY: the kernel is never interrupted in its own code, so where there is one processor threads take turns.
unsafe impl sync::blocking::Threads for Threads {
    #[inline(always)]
    fn take_turns() -> bool {
        alone()
    }

    #[inline(always)]
    fn never_wait() -> bool {
        contracts::scheduler::capacity() == 1
    }

    fn waker() -> Waker {
        super::function::ready();
        borrowed_waker(current())
    }

    fn park() {
        park();
    }

    fn park_until(deadline: u64) -> bool {
        sleep_once(deadline)
    }
}
