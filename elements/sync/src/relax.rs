//! What a processor does while it waits for another one.

use spin::Once;

/// What else a waiting processor has to do; nothing until somebody says so.
static DUTY: Once<fn()> = Once::new();

/// Has every processor that spins call `duty` again and again, once for all: a processor that waits with interrupts off
/// must still answer those that wait for it. For platforms, before there is a second processor.
pub fn on_spin(duty: fn()) {
    crate::alone::shared();
    DUTY.call_once(|| duty);
}

/// One turn of a loop that waits for another processor.
#[cold]
#[inline(never)]
pub fn relax() {
    if let Some(duty) = DUTY.get() {
        duty();
    }
    core::hint::spin_loop();
}

#[cfg(all(test, not(loom)))]
mod tests {
    use alloc::sync::Arc;
    use core::{
        cell::Cell,
        sync::atomic::{AtomicU32, Ordering::Relaxed},
    };

    use super::*;
    use crate::Mutex;

    std::thread_local! {
        // For each thread, because those of other tests wait for locks too.
        static DONE: Cell<Option<Arc<AtomicU32>>> = const { Cell::new(None) };
    }

    fn duty() {
        let done = DONE.take();
        if let Some(done) = &done {
            done.fetch_add(1, Relaxed);
        }
        DONE.set(done);
    }

    #[test]
    fn who_waits_for_a_lock_does_its_duty() {
        on_spin(duty);
        let lock = Mutex::new(());
        let held = lock.lock();
        let done = Arc::new(AtomicU32::new(0));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                DONE.set(Some(done.clone()));
                drop(lock.lock());
            });
            while done.load(Relaxed) == 0 {
                std::thread::yield_now();
            }
            drop(held);
        });
    }
}
