//! How long threads have had a processor.
//!
//! A thread that is alone has had all the time in which it did not idle, so nothing is counted when it goes on. Only
//! [`begin`], by which a layer above says that it wants to tell threads apart, has each switch read the clock.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::{Thread, current};

/// The account of a thread, in nanoseconds.
#[derive(Debug, Default)]
pub(super) struct Account {
    /// What it has had up to the last time it was left.
    used: AtomicU64,
    /// When it was gone on with; 0 while it has no processor.
    since: AtomicU64,
}

static WANTED: AtomicBool = AtomicBool::new(false);

/// Has switches between threads be counted from now on.
pub fn begin() {
    WANTED.store(true, Ordering::Relaxed);
}

impl Account {
    /// It has a processor from now on.
    pub(super) fn start(&self) {
        self.since.store(contracts::clock::monotonic(), Ordering::Relaxed);
    }

    /// It has none any more.
    pub(super) fn stop(&self) {
        let now = contracts::clock::monotonic();
        self.close(now);
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
        let now = contracts::clock::monotonic();
        this.account.close(now);
        next.account.since.store(now, Ordering::Relaxed);
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
        let used = self.account.used.load(Ordering::Relaxed);
        match self.account.since.load(Ordering::Relaxed) {
            0 => used,
            since => used + contracts::clock::monotonic().saturating_sub(since),
        }
    }
}
