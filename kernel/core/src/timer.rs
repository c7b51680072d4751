//! The alarms of the machine, shared out among everything that happens at a moment: threads that wake, timers that ring.
//!
//! A timer is an object that someone owns and that says what to do when its moment comes ([`Expire`]). There is no tick:
//! a processor's alarm is set to the earliest moment that it knows of, and rings once.

use alloc::{sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicU64, Ordering};

use machine::MAX_PROCESSORS;
use sync::Mutex;

use crate::task::schedule;

/// Something that happens at a moment.
pub trait Expire: Send + Sync {
    /// Where it remembers its moment.
    fn timer(&self) -> &Timer;

    /// Its moment has come, and it waits for none any more. Runs in the kernel, on any thread, under no lock.
    fn expire(self: Arc<Self>);
}

/// What is to be known of an [`Expire`] to find it in the queue.
#[derive(Debug)]
pub struct Timer {
    /// Its moment; [`NEVER`] if it is not in the queue. Changes under the queue's lock.
    moment: AtomicU64,
}

impl Timer {
    /// Waits for no moment.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "the shortest name for it")]
    pub const fn new() -> Self {
        Self { moment: AtomicU64::new(NEVER) }
    }

    fn is_set(&self) -> bool {
        self.moment.load(Ordering::Relaxed) != NEVER
    }
}

type Waiting = Arc<dyn Expire>;

/// All that wait for a moment, the earliest last.
static QUEUE: Mutex<Vec<Waiting>> = Mutex::new(Vec::new());

/// When each processor's alarm rings.
static RINGS: [AtomicU64; MAX_PROCESSORS] = [const { AtomicU64::new(NEVER) }; MAX_PROCESSORS];
const NEVER: u64 = u64::MAX;

/// Sees to it that this processor's alarm rings at `deadline` or earlier.
pub(crate) fn ring_by(deadline: u64) {
    let rings = &RINGS[contracts::processor::number() % MAX_PROCESSORS];
    if deadline < rings.load(Ordering::Relaxed) {
        rings.store(deadline, Ordering::Relaxed);
        contracts::alarm::set(Some(deadline));
    }
}

fn moment(timer: &Waiting) -> u64 {
    timer.timer().moment.load(Ordering::Relaxed)
}

/// Takes `timer` out of the queue if it is there.
fn take_out(queue: &mut Vec<Waiting>, timer: &Waiting) -> Option<Waiting> {
    let old = moment(timer);
    if old == NEVER {
        return None;
    }
    let first = queue.partition_point(|other| moment(other) > old);
    let index = queue[first..].iter().position(|other| Arc::ptr_eq(other, timer))?;
    Some(queue.remove(first + index))
}

/// Gives a timer a moment in nanoseconds of the monotonic clock in place of the one it had, or takes that away.
#[inline(never)]
pub fn set(timer: &Arc<dyn Expire>, new: Option<u64>) {
    let mut queue = QUEUE.lock();
    // Dropped when the queue is no longer locked, as it might be its last owner.
    let _old = take_out(&mut queue, timer);
    let new = new.map_or(NEVER, |moment| moment.min(NEVER - 1));
    timer.timer().moment.store(new, Ordering::Relaxed);
    if new != NEVER {
        // Behind those of the same moment, which are nearer to the end.
        let index = queue.partition_point(|other| moment(other) > new);
        queue.insert(index, Arc::clone(timer));
    }
    drop(queue);
    if new != NEVER {
        ring_by(new);
    }
}

/// Takes a timer's moment away, if it has one.
pub fn stop(timer: &Arc<dyn Expire>) {
    if timer.timer().is_set() {
        set(timer, None);
    }
}

/// The next one whose moment has come by `now`, or the moment of the one that comes first.
fn next(now: u64) -> Result<Waiting, Option<u64>> {
    let mut queue = QUEUE.lock();
    let first = queue.last().map(moment);
    match first {
        Some(moment) if moment <= now => queue.pop().ok_or(None).inspect(|timer| {
            timer.timer().moment.store(NEVER, Ordering::Relaxed);
        }),
        _ => Err(first),
    }
}

/// Has all happen whose moment has come, and the alarm ring for the next one.
pub(crate) fn expire() {
    let rings = &RINGS[contracts::processor::number() % MAX_PROCESSORS];
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
    if let Some(next) = earliest.into_iter().chain(schedule::slice_end().filter(|&end| end > now)).min() {
        ring_by(next);
    }
}
