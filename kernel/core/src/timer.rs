//! The alarms of the machine, shared out among everything that happens at a moment: threads that wake, timers that
//! ring.
//!
//! A timer is an object that someone owns and that says what to do when its moment comes ([`Expire`]). There is no
//! tick: a processor's alarm is set to the earliest moment that it knows of, and rings once.
//!
//! Unsafe: the queue links timers by address; each owns itself while it is in there.
#![allow(unsafe_code)]

use alloc::sync::Arc;
use core::{
    ptr::NonNull,
    sync::atomic::{AtomicU64, Ordering},
};

use machine::MAX_PROCESSORS;
use sync::{Mutex, Once};
use timers::{Queue, TimerRef};

use crate::processor::here;

/// Something that happens at a moment.
pub trait Expire: Send + Sync {
    /// Where it remembers its moment.
    fn timer(&self) -> &Timer;

    /// Its moment has come, and it waits for none any more. Runs in the kernel, on any thread, under no lock.
    fn expire(self: Arc<Self>);
}

/// What an [`Expire`] has to be in the queue by.
#[derive(Default)]
#[repr(C)]
pub struct Timer {
    place: timers::Timer,
    /// Who it is part of, as long as it is in the queue: that keeps it there.
    owner: Mutex<Option<Arc<dyn Expire>>>,
}

impl Timer {
    /// Waits for no moment.
    #[must_use]
    pub const fn new() -> Self {
        Self { place: timers::Timer::new(), owner: Mutex::new(None) }
    }

    fn reference(&self) -> TimerRef {
        // SAFETY: it stays where it is while it is in the queue: its owner is an `Arc`, of which it has a share then.
        unsafe { TimerRef::new(NonNull::from(self).cast()) }
    }
}

/// All that wait for a moment.
static QUEUE: Mutex<Queue> = Mutex::new(Queue::new());

/// When each processor's alarm rings.
static RINGS: [AtomicU64; MAX_PROCESSORS] = [const { AtomicU64::new(NEVER) }; MAX_PROCESSORS];
const NEVER: u64 = u64::MAX;

/// Sees to it that this processor's alarm rings at `deadline` or earlier.
pub(crate) fn ring_by(deadline: u64) {
    let rings = &RINGS[here() % MAX_PROCESSORS];
    if deadline < rings.load(Ordering::Relaxed) {
        rings.store(deadline, Ordering::Relaxed);
        contracts::alarm::set(Some(deadline));
    }
}

/// Tells what else this processor's alarm is to ring for: the end of the running thread's slice, if it has one. It is
/// asked when the timers have expired, which may change it.
type OtherMoment = fn() -> Option<u64>;

/// [`expire`], once there has been a timer: an image that sets none has no timers, and needs neither clock nor alarm.
static EXPIRE: Once<fn(OtherMoment)> = Once::new();

/// As [`expire`], in an image that may have no timers.
pub(crate) fn expire_if_any(other: OtherMoment) {
    if let Some(expire) = EXPIRE.get() {
        expire(other);
    }
}

/// Gives a timer a moment in nanoseconds of the monotonic clock in place of the one it had, or takes that away.
#[inline(never)]
pub fn set(timer: &Arc<dyn Expire>, moment: Option<u64>) {
    let place = timer.timer();
    let queue = QUEUE.lock();
    match moment {
        Some(moment) => {
            *place.owner.lock() = Some(Arc::clone(timer));
            queue.insert(place.reference(), moment);
        }
        None => {
            queue.remove(place.reference());
            // The caller has a share, so this is not the last.
            *place.owner.lock() = None;
        }
    }
    drop(queue);
    if let Some(moment) = moment {
        EXPIRE.call_once(|| expire);
        ring_by(moment);
    }
}

/// Takes a timer's moment away, if it has one.
pub fn stop(timer: &Arc<dyn Expire>) {
    if timer.timer().place.deadline().is_some() {
        set(timer, None);
    }
}

/// The next one whose moment has come by `now`, or the moment of the one that comes first.
fn next(now: u64) -> Result<Arc<dyn Expire>, Option<u64>> {
    let queue = QUEUE.lock();
    let Some(expired) = queue.pop_expired(now) else { return Err(queue.earliest()) };
    // SAFETY: only `set` enters timers, by a reference to one whole of which this is the first field; and until its
    // owner is taken out, it lives.
    let timer: &Timer = unsafe { expired.pointer().cast().as_ref() };
    let owner = timer.owner.lock().take();
    owner.ok_or(None)
}

/// Has all happen whose moment has come, and the alarm ring for the next one, or for the other moment if that comes
/// first.
pub(crate) fn expire(other: OtherMoment) {
    let rings = &RINGS[here() % MAX_PROCESSORS];
    if rings.load(Ordering::Relaxed) == NEVER {
        return;
    }
    let now = contracts::clock::monotonic();
    if rings.load(Ordering::Relaxed) > now {
        return;
    }
    rings.store(NEVER, Ordering::Relaxed);
    let earliest = loop {
        match next(now) {
            Ok(timer) => timer.expire(),
            Err(earliest) => break earliest,
        }
    };
    if let Some(next) = earliest.into_iter().chain(other().filter(|&end| end > now)).min() {
        ring_by(next);
    }
}
