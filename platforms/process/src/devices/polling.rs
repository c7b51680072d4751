//! Looks for a while before it sleeps.
//!
//! To be woken costs more than to handle a packet: the host must find a processor for us, and one that rests must begin
//! to run. An acknowledgment or the next request often comes sooner than that. So a processor that waits for the
//! network asks a few times first, and lets the host's other threads run in between. KVM does the same for its guests
//! ("halt polling", Documentation/virt/kvm/halt-polling.rst in Linux), and so are the time and its growth.

use core::sync::atomic::{
    AtomicBool, AtomicU32,
    Ordering::{Relaxed, SeqCst},
};

use crate::{
    clock,
    host::{
        files::{self, NOW, Poll},
        thread,
        time::ClockId,
    },
};

/// Nanoseconds that the next wait looks before it sleeps. It is 0 where nothing comes for long: a machine at rest uses
/// no processor.
static WINDOW: AtomicU32 = AtomicU32::new(0);

/// Its least, once there is something to win, and its most.
const LEAST: u32 = 10_000;
const MOST: u32 = 200_000;

/// Some processor looks. The others of the machine sleep at once.
static LOOKING: AtomicBool = AtomicBool::new(false);

/// Waits until something is there in `polls`, or for a signal. Signals are blocked outside.
pub fn wait(polls: &mut [Poll]) {
    if LOOKING.swap(true, SeqCst) {
        let _ = files::poll_unblocked(polls, None);
        return;
    }
    let begun = clock::now(ClockId::Monotonic);
    let window = WINDOW.load(Relaxed);
    let found = look(polls, begun + u64::from(window));
    LOOKING.store(false, SeqCst);
    if !found {
        let _ = files::poll_unblocked(polls, None);
        WINDOW.store(next(window, clock::now(ClockId::Monotonic) - begun), Relaxed);
    }
}

/// Asks until `deadline`; whether something, or a signal, has come.
fn look(polls: &mut [Poll], deadline: u64) -> bool {
    while clock::now(ClockId::Monotonic) < deadline {
        if files::poll_unblocked(polls, Some(NOW)) != Ok(0) {
            return true;
        }
        thread::give_way();
    }
    false
}

/// What `window` becomes after a wait of so many nanoseconds that it did not cover: it grows if it could have covered
/// it, and is given up if not.
fn next(window: u32, waited: u64) -> u32 {
    if waited > u64::from(MOST) { 0 } else { (window * 2).clamp(LEAST, MOST) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_to_cover_short_waits_and_ends_with_a_long_one() {
        let mut window = 0;
        for expected in [10_000, 20_000, 40_000, 80_000, 160_000, 200_000, 200_000] {
            window = next(window, 30_000);
            assert_eq!(window, expected);
        }
        assert_eq!(next(window, 200_000), MOST);
        assert_eq!(next(window, 200_001), 0);
        assert_eq!(next(0, u64::MAX), 0);
    }
}
