//! How long threads have had a processor.
//!
//! A thread that is alone has had all the time in which it did not idle, so nothing is counted when it goes on. Only
//! [`begin`], by which a layer above says that it wants to tell threads apart, has each switch read the clock.

use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::{Thread, current};
use crate::processor::here;

/// The account of a thread, in nanoseconds.
#[derive(Debug, Default)]
pub(super) struct Account {
    /// What it has had up to the last time it was left.
    used: AtomicU64,
    /// When it was gone on with, by the time of its processor; 0 while it has none.
    since: AtomicU64,
    /// Its last processor.
    on: AtomicUsize,
}

static WANTED: AtomicBool = AtomicBool::new(false);

/// Has switches between threads be counted from now on.
pub fn begin() {
    WANTED.store(true, Ordering::Relaxed);
}

impl Account {
    /// It has a processor from now on.
    pub(super) fn start(&self) {
        let here = here();
        self.open(here, contracts::clock::processor_time(here));
    }

    fn open(&self, here: usize, now: u64) {
        self.on.store(here, Ordering::Relaxed);
        self.since.store(now, Ordering::Release);
    }

    /// It has none any more.
    pub(super) fn stop(&self) {
        self.close(contracts::clock::processor_time(here()));
    }

    fn close(&self, now: u64) {
        let since = self.since.swap(0, Ordering::Relaxed);
        if since != 0 {
            self.used.fetch_add(now.saturating_sub(since), Ordering::Relaxed);
        }
    }
}

/// The processor goes from one thread to another.
#[inline]
pub(super) fn switch(this: &Thread, next: &Thread) {
    if WANTED.load(Ordering::Relaxed) {
        let here = here();
        let now = contracts::clock::processor_time(here);
        this.account.close(now);
        next.account.open(here, now);
    }
}

/// Runs `wait`, whose time is nobody's.
pub(super) fn pause(wait: fn()) {
    current().account.stop();
    wait();
    current().account.start();
}

impl Thread {
    /// How long it has had a processor, in nanoseconds, the kernel's work for it included.
    pub fn processor_time(&self) -> u64 {
        let account = &self.account;
        loop {
            let since = account.since.load(Ordering::Acquire);
            let used = account.used.load(Ordering::Relaxed);
            if since == 0 {
                return used;
            }
            let now = contracts::clock::processor_time(account.on.load(Ordering::Relaxed));
            // It may have gone on to another processor meanwhile, whose time is another.
            if account.since.load(Ordering::Acquire) == since {
                return used + now.saturating_sub(since);
            }
        }
    }
}
