//! Timers, and many who sleep to different moments.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU64, Ordering::SeqCst},
};

use kernel::{
    task,
    timer::{self, Expire, Timer},
};
use kernel_tests::{KernelProgram, on_the_machine};

fn now() -> u64 {
    contracts::clock::monotonic()
}

#[derive(Default)]
struct Bell {
    timer: Timer,
    rang_at: AtomicU64,
}

impl Expire for Bell {
    fn timer(&self) -> &Timer {
        &self.timer
    }

    fn expire(self: Arc<Self>) {
        self.rang_at.store(now(), SeqCst);
    }
}

fn sleep_to(moment: u64) {
    while task::sleep_once(moment) {}
}

#[test]
fn timers_ring_at_their_moments_and_not_when_stopped() {
    on_the_machine(|| {
        let begin = now();
        let bells: Vec<Arc<Bell>> = (0..4).map(|_| Arc::default()).collect();
        let object = |number: usize| -> Arc<dyn Expire> { bells[number].clone() };
        // Set in another order than they ring in; one is set anew, one is stopped.
        for (number, after) in [(2, 300), (0, 100), (1, 50), (3, 250)] {
            timer::set(&object(number), Some(begin + after));
        }
        timer::set(&object(1), Some(begin + 200));
        timer::stop(&object(3));
        sleep_to(begin + 1000);
        let rang: Vec<u64> = bells.iter().map(|bell| bell.rang_at.load(SeqCst)).collect();
        assert_eq!(rang, [begin + 100, begin + 200, begin + 300, 0]);
        assert!(bells.into_iter().all(|bell| Arc::into_inner(bell).is_some()), "the queue has let go of all");
    });
}

#[test]
fn sleepers_wake_in_the_order_of_their_deadlines() {
    on_the_machine(|| {
        let begin = now();
        let order = Arc::new(Mutex::new(Vec::new()));
        let sleepers: Vec<_> = [5_000, 1_000, 4_000, 2_000, 3_000]
            .map(|after| {
                let order = Arc::clone(&order);
                KernelProgram::start("sleeper", move || {
                    sleep_to(begin + after);
                    order.lock().expect("nobody panics").push((after, now() - begin));
                })
            })
            .into();
        sleepers.into_iter().for_each(KernelProgram::join);
        let order = order.lock().expect("nobody panics");
        assert_eq!(*order, [1_000, 2_000, 3_000, 4_000, 5_000].map(|after| (after, after)));
    });
}
