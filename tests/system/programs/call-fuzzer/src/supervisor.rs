//! The first thread: starts workers, wakes those that wait, starts those again that ended, and tells how far it is.

use std::sync::atomic::Ordering::Relaxed;

use crate::handlers::{END, NUDGERS, THREADS};
use crate::raw::call;
use crate::report::Line;
use crate::state::State;
use crate::work::{BEGUN, THROUGH};
use crate::{arguments, begin_anew, raw, work};

/// Looks that a worker may make no call before it is nudged, and before the round is given up. A look is a millisecond.
const PATIENCE: u64 = 1;
const DESPAIR: u64 = 300;

struct Watched {
    begun: u64,
    looks: u64,
}

/// Leads a round to its end.
pub fn supervise(state: &'static State) -> ! {
    // Signals are the workers' affair, but for SIGTERM, which ends the machine.
    let all = !(1_u64 << (END - 1));
    call(14, [2, &raw const all as u64, 0, 8]);
    let process = call(39, []) as u64;
    // A worker may give itself a priority, and turn in a circle: it must be seen to.
    raw::set_scheduler(raw::FIFO, 99);
    let count = state.threads.load(Relaxed) as usize;
    let mut watched = [const { Watched { begun: 0, looks: 0 } }; crate::state::WORKERS];
    (0..count).for_each(start);
    for look in 1_u64.. {
        let moment = [0_u64, 1_000_000];
        call(35, [&raw const moment as u64, 0]);
        if look % 200 == 0 {
            Line::new("fuzz: calls").number(" ", state.calls()).print();
        }
        for (index, watched) in watched.iter_mut().enumerate().take(count) {
            if !THROUGH[index].load(Relaxed) && !watch(index, watched, process) {
                begin_anew(state, "a worker does not go on");
            }
        }
        if THROUGH[..count].iter().all(|through| through.load(Relaxed)) {
            begin_anew(state, "");
        }
    }
    unreachable!()
}

fn start(index: usize) {
    // The new thread inherits the mask: nothing may come before it has its stack for handlers.
    let thread = raw::spawn(work::stack_of(index), index as u64);
    THREADS[index].store(thread, Relaxed);
    arguments::remember_thread(index, thread.max(0) as u64);
}

/// Whether there is hope for a worker.
fn watch(index: usize, watched: &mut Watched, process: u64) -> bool {
    let begun = BEGUN[index].load(Relaxed);
    if begun != watched.begun {
        *watched = Watched { begun, looks: 0 };
        return true;
    }
    watched.looks += 1;
    if watched.looks > PATIENCE {
        let signal = NUDGERS[(watched.looks % NUDGERS.len() as u64) as usize];
        let thread = THREADS[index].load(Relaxed) as u64;
        const NO_SUCH: i64 = -3;
        if call(234, [process, thread, signal]) == NO_SUCH {
            start(index);
        }
    }
    watched.looks < DESPAIR
}
