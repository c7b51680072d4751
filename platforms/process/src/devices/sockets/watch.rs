//! Changes of the host's sockets: one set of epoll(7) for the whole machine.
//!
//! A processor that has nothing to do waits for the set among others ([`descriptor`]). Where none has, one is
//! interrupted now and then, by the time that it computes: so a machine at rest is not. Whoever takes the changes notes
//! them at their sockets, and wakes who waits for these.

use core::sync::atomic::{
    AtomicI32, AtomicU64,
    Ordering::{Relaxed, SeqCst},
};

use sockets::{Error, Reach};
use sync::Mutex;

use super::{errors, table, told};
use crate::{
    clock,
    host::{
        signal::ALARM,
        sockets::{self as host, Event},
        time::{self, ClockId},
    },
};

/// Changes that are taken at a time.
const BURST: usize = 64;
/// Nanoseconds for which what was heard last is new enough for somebody who would have to wait.
const NEW: u64 = 50_000;
/// Nanoseconds that a processor computes between two looks, if it does nothing else.
const LOOK_EVERY: u64 = 5_000_000;

/// The set; -1 before there is one.
static SET: AtomicI32 = AtomicI32::new(-1);
static MAKING: Mutex<()> = Mutex::new(());
/// When changes were looked for last.
static LOOKED: AtomicU64 = AtomicU64::new(0);

/// The set, for whoever waits for several descriptors; negative if there is none.
#[inline(always)]
pub fn descriptor() -> i32 {
    SET.load(Relaxed)
}

/// Watches a socket from now on.
pub fn add(descriptor: i32, number: u64) -> Result<(), Error> {
    let making = MAKING.lock();
    if SET.load(SeqCst) < 0 {
        SET.store(host::new_set().map_err(errors::of)?, SeqCst);
        // Without it, what has come is seen when a processor has nothing to do.
        let _ = time::create_timer(ClockId::Thread, ALARM, 0).and_then(|timer| time::repeat_timer(timer, LOOK_EVERY));
    }
    drop(making);
    host::watch(SET.load(SeqCst), descriptor, number).map_err(errors::of)
}

/// Takes in what has changed; whether anything has.
pub fn look() -> bool {
    let set = SET.load(Relaxed);
    if set < 0 {
        return false;
    }
    LOOKED.store(clock::now(ClockId::Monotonic), Relaxed);
    let mut came = false;
    loop {
        let mut events = [Event::default(); BURST];
        let count = host::take(set, &mut events).unwrap_or(0);
        for Event { events, number } in events.into_iter().take(count) {
            // One that was closed meanwhile is nobody's.
            if let Ok(socket) = table::get(number) {
                socket.tell(events);
            }
        }
        came |= count > 0;
        if count < BURST {
            return came;
        }
    }
}

/// Does `call`; if that would wait, looks whether it still would, unless somebody has looked just now. So whoever asks
/// again and again is told of changes, and mostly without a call of the host's.
pub fn or_look<R>(call: impl Fn() -> Result<R, Error>) -> Result<R, Error> {
    let result = call();
    if matches!(result, Err(Error::WouldBlock)) && look_again() { call() } else { result }
}

/// Something was sent. Where sockets of one machine reach each other by the host's loopback, it may have come already,
/// so what was heard last is not new any more.
pub fn sent() {
    if told::reach() == Reach::All {
        LOOKED.store(0, Relaxed);
    }
}

/// Looks, unless somebody has looked just now.
pub fn look_again() -> bool {
    clock::now(ClockId::Monotonic).saturating_sub(LOOKED.load(Relaxed)) > NEW && look()
}
