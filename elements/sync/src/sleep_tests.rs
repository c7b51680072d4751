//! Sleeping locks among the host's threads.

use std::{
    cell::Cell,
    pin::pin,
    sync::{
        Arc, Once,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Wake, Waker},
    thread,
    vec::Vec,
};

use crate::{Mutex, PollMutex, Sleep, SleepMutex, Stay, WaitQueue, Waiter, may_sleep, sleep_by, wait_for_device};

struct HostThreads;

static OUTSIDE: WaitQueue = WaitQueue::new();
static SLEPT: AtomicUsize = AtomicUsize::new(0);

std::thread_local! {
    static AWAKE: Cell<usize> = const { Cell::new(0) };
}

struct Unpark(thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

impl Sleep for HostThreads {
    fn may_sleep(&self) -> bool {
        AWAKE.get() == 0
    }

    fn keep_awake(&self, awake: bool) {
        let change = |count: usize| if awake { count + 1 } else { count.saturating_sub(1) };
        AWAKE.with(|count| count.set(change(count.get())));
    }

    fn sleep_on(&self, queue: &WaitQueue, ready: &mut dyn FnMut() -> bool) {
        let waiter = pin!(Waiter::new(queue, Waker::from(Arc::new(Unpark(thread::current()))), Stay::Once));
        loop {
            waiter.as_ref().enter();
            if ready() {
                return;
            }
            SLEPT.fetch_add(1, SeqCst);
            thread::park();
        }
    }

    fn sleep_outside(&self, ready: &mut dyn FnMut() -> bool) {
        self.sleep_on(&OUTSIDE, ready);
    }

    fn give_way(&self) {
        thread::yield_now();
    }
}

fn begin() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| sleep_by(&HostThreads));
}

/// Each adds in two steps and lets others run between them.
#[test]
fn one_at_a_time_and_the_others_sleep() {
    const EACH: usize = if cfg!(miri) { 20 } else { 2000 };
    begin();
    let count = SleepMutex::new(0);
    let before = SLEPT.load(SeqCst);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..EACH {
                    let mut count = count.lock();
                    let old = *count;
                    thread::yield_now();
                    *count = old + 1;
                }
            });
        }
    });
    assert_eq!(*count.lock(), 3 * EACH);
    assert!(SLEPT.load(SeqCst) > before, "nobody slept");
    let held = count.lock();
    assert!(count.try_lock().is_none());
    drop(held);
    assert!(count.try_lock().is_some());
}

#[test]
fn who_waits_for_a_device_is_woken_by_its_interrupt() {
    begin();
    let (answered, wanted) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            // As a device that interrupts only where that is asked for.
            while wanted.load(SeqCst) == 0 {
                thread::yield_now();
            }
            answered.store(1, SeqCst);
            OUTSIDE.wake_all();
        });
        wait_for_device(&mut || answered.load(SeqCst) == 1, &|on| {
            wanted.store(usize::from(on), SeqCst);
            true
        });
        assert_eq!(wanted.load(SeqCst), 0);
    });
}

#[test]
fn who_polls_does_not_sleep() {
    begin();
    let (one, other, slept) = (PollMutex::new(1), PollMutex::new(2), SLEPT.load(SeqCst));
    let mut looks = 0;
    assert!(may_sleep());
    {
        let (_one, other) = (one.lock(), other.lock());
        drop(other);
        assert!(!may_sleep());
        let ready = &mut || {
            looks += 1;
            looks > 1000
        };
        wait_for_device(ready, &|_| unreachable!("it does not sleep"));
    }
    assert!(may_sleep() && looks == 1001 && SLEPT.load(SeqCst) >= slept);
}

#[test]
fn a_device_without_interrupts_is_looked_at_while_others_run() {
    begin();
    let mut looks = 0;
    let ready = &mut || {
        looks += 1;
        looks > 1000
    };
    wait_for_device(ready, &|_| false);
    assert_eq!(looks, 1001);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "a spin lock is held where a wait may begin")]
fn a_spin_lock_held_where_a_wait_may_begin_is_found() {
    let (short, long) = (Mutex::new(()), SleepMutex::new(()));
    let _held = short.lock();
    drop(long.lock());
}

#[test]
fn locks_given_back_in_any_order_are_counted() {
    let locks: Vec<_> = (0..3).map(Mutex::new).collect();
    let mut held: Vec<_> = locks.iter().map(Mutex::lock).collect();
    held.swap(0, 2);
    drop(held);
    assert!(locks[1].try_lock().is_some());
    crate::might_sleep();
}

#[test]
fn work_is_done_under_the_lock_where_it_is_free() {
    let lock = SleepMutex::new(1);
    assert_eq!(lock.try_with(|value| Some(core::mem::replace(value, 2))), Some(1));
    assert_eq!(lock.try_with(|value| lock.try_lock().is_none().then_some(*value)), Some(2));
    assert_eq!(lock.try_with(|_| None::<i32>), None);
    let held = lock.lock();
    assert_eq!(lock.try_with(|value| Some(*value)), None);
    drop(held);
    assert_eq!(lock.try_with(|value| Some(*value)), Some(2));
}
