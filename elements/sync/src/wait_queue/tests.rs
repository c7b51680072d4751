//! Who is woken, and in which order.

use std::{
    boxed::Box,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Wake, Waker},
    thread,
    vec::Vec,
};

use super::*;

/// Counts how often it was woken.
#[derive(Default)]
struct Count(AtomicUsize);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn counter() -> (Arc<Count>, Waker) {
    let count = Arc::new(Count::default());
    (Arc::clone(&count), Waker::from(count))
}

#[test]
fn the_longest_waiting_is_woken_first() {
    let queue = WaitQueue::new();
    let counters: Vec<_> = (0..3).map(|_| counter()).collect();
    let waiters: Vec<_> =
        counters.iter().map(|(_, waker)| Box::pin(Waiter::new(&queue, waker.clone(), Stay::Once))).collect();
    waiters.iter().for_each(|waiter| waiter.as_ref().enter());
    waiters[0].as_ref().enter();
    let counts = || counters.iter().map(|(count, _)| count.0.load(Ordering::SeqCst)).collect::<Vec<_>>();
    assert!(queue.wake_one());
    assert_eq!(counts(), [1, 0, 0]);
    assert!(!waiters[0].as_ref().leave() && waiters[1].as_ref().leave());
    queue.wake_all();
    assert_eq!(counts(), [1, 0, 1]);
    assert!(!queue.wake_one() && queue.is_empty());
}

#[test]
fn who_stays_is_told_every_time_and_counts_for_nobody() {
    let queue = WaitQueue::new();
    let ((watched, watcher), (woken, waker)) = (counter(), counter());
    let stays = pin!(Waiter::new(&queue, watcher, Stay::Always));
    stays.as_ref().enter();
    let once = pin!(Waiter::new(&queue, waker, Stay::Once));
    once.as_ref().enter();
    assert!(queue.wake_one() && !queue.wake_one());
    assert_eq!((watched.0.load(Ordering::SeqCst), woken.0.load(Ordering::SeqCst)), (2, 1));
    assert!(!queue.is_empty() && stays.as_ref().leave() && queue.is_empty());
}

#[test]
fn a_dropped_waiter_has_left() {
    let queue = WaitQueue::new();
    let (count, waker) = counter();
    {
        let waiter = pin!(Waiter::new(&queue, waker, Stay::Once));
        waiter.as_ref().enter();
        assert!(!queue.is_empty());
    }
    queue.wake_all();
    assert_eq!(count.0.load(Ordering::SeqCst), 0);
}

/// A thread of the host as the waker of who waits.
struct Unpark(thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

#[test]
fn a_watcher_keeps_what_it_watches_and_leaves_with_it() {
    let ((count, waker), queue) = (counter(), Arc::new(WaitQueue::new()));
    let watcher = Watcher::new(Arc::clone(&queue), |queue| queue, waker);
    assert_eq!((queue.wake(1), queue.wake(1), count.0.load(Ordering::SeqCst)), (0, 0, 2));
    drop(watcher);
    assert!(queue.is_empty() && Arc::strong_count(&queue) == 1 && Arc::strong_count(&count) == 1);
    // The last share of what is watched may be the watcher's.
    let (count, waker) = counter();
    let watcher = Watcher::new(Arc::clone(&queue), |queue| queue, waker);
    drop(queue);
    drop(watcher);
    assert_eq!(Arc::strong_count(&count), 1);
}

#[test]
fn no_wake_is_lost_between_looking_and_sleeping() {
    const TURNS: usize = if cfg!(miri) { 20 } else { 2000 };
    let (queue, done) = (WaitQueue::new(), AtomicUsize::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            for turn in 1..=TURNS {
                done.store(turn, Ordering::SeqCst);
                queue.wake_all();
                thread::yield_now();
            }
        });
        for _ in 0..2 {
            scope.spawn(|| {
                let waker = Waker::from(Arc::new(Unpark(thread::current())));
                let waiter = pin!(Waiter::new(&queue, waker, Stay::Once));
                for turn in 1..=TURNS {
                    loop {
                        waiter.as_ref().enter();
                        if done.load(Ordering::SeqCst) >= turn {
                            break;
                        }
                        thread::park();
                    }
                    waiter.as_ref().leave();
                }
            });
        }
    });
}

std::thread_local! {
    static STEPS: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// A place was looked at.
pub fn count_step() {
    STEPS.set(STEPS.get() + 1);
}

/// However many wait behind the one who is woken, and whoever stays.
#[test]
fn a_wake_looks_at_no_more_than_it_wakes() {
    const MANY: usize = if cfg!(miri) { 20 } else { 20_000 };
    let queue = WaitQueue::new();
    let ((told, watcher), (woken, waker)) = (counter(), counter());
    let waiters: Vec<_> = (0..MANY).map(|_| Box::pin(Waiter::new(&queue, waker.clone(), Stay::Once))).collect();
    waiters[..MANY / 2].iter().for_each(|waiter| waiter.as_ref().enter());
    let stays = pin!(Waiter::new(&queue, watcher, Stay::Always));
    stays.as_ref().enter();
    waiters[MANY / 2..].iter().for_each(|waiter| waiter.as_ref().enter());
    STEPS.set(0);
    waiters.iter().for_each(|waiter| assert!(queue.wake_one() && !waiter.is_queued()));
    assert_eq!((told.0.load(Ordering::SeqCst), woken.0.load(Ordering::SeqCst)), (MANY, MANY));
    assert!(STEPS.get() <= 3 * MANY, "{} places looked at", STEPS.get());
}
