//! Threads of the host's that wait for its disk in our place: a regular file has no readiness that could be waited for.
//!
//! A helper carries out one read at a time, which it finds in words that it shares with us, and then calls the first
//! processor, as a device would interrupt it. It has neither a block nor handlers, so it makes host calls and nothing
//! else.

use core::sync::atomic::{
    AtomicBool, AtomicI32, AtomicU32, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release, SeqCst},
};

use sync::WaitQueue;

use crate::{
    host::{HostError, directory::read_descriptor, signal, thread},
    per_cpu::{seat::in_first, smp},
};

/// Most reads that wait at once.
const HELPERS: usize = 4;

/// What a helper is about ([`Helper::state`]).
const RESTS: u32 = 0;
const READS: u32 = 1;
const DONE: u32 = 2;
/// It is to end, and has ended but for that.
const RETIRES: u32 = 3;
const RETIRED: u32 = 4;

/// One of them, and what it is asked.
struct Helper {
    taken: AtomicBool,
    started: AtomicBool,
    state: AtomicU32,
    descriptor: AtomicI32,
    /// Address, length and offset.
    place: [AtomicUsize; 3],
    /// Bytes, or an error's number below zero.
    result: AtomicUsize,
}

static ALL: [Helper; HELPERS] = [const {
    Helper {
        taken: AtomicBool::new(false),
        started: AtomicBool::new(false),
        state: AtomicU32::new(RESTS),
        descriptor: AtomicI32::new(0),
        place: [const { AtomicUsize::new(0) }; 3],
        result: AtomicUsize::new(0),
    }
}; HELPERS];

/// Woken when a helper is free.
static FREED: WaitQueue = WaitQueue::new();

/// Reads at an offset, while the calling thread sleeps. For a thread that may.
pub fn read(descriptor: i32, address: usize, length: usize, offset: u64) -> Result<usize, HostError> {
    let mut taken = None;
    sync::wait_on(&FREED, &mut || {
        taken = ALL.iter().find(|helper| !helper.taken.swap(true, SeqCst));
        taken.is_some()
    });
    let Some(helper) = taken else { return Err(HostError::AGAIN) };
    helper.ask(descriptor, [address, length, offset as usize]);
    // Asked before: a helper that has been retired meanwhile has not read.
    let started = helper.started().inspect_err(|_| helper.state.store(RESTS, Relaxed));
    let result = started.and_then(|()| {
        // It calls whether somebody sleeps or not.
        sync::wait_for_device(&mut || helper.state.load(Acquire) == DONE, &|_| true);
        helper.state.store(RESTS, Relaxed);
        match helper.result.load(Relaxed) as isize {
            error @ ..0 => Err(HostError(-error as i32)),
            count => Ok(count as usize),
        }
    });
    helper.taken.store(false, SeqCst);
    FREED.wake_one();
    result
}

impl Helper {
    /// Starts its thread, once. It begins with all signals blocked, and so takes none of ours.
    fn started(&'static self) -> Result<(), HostError> {
        if self.started.load(Relaxed) {
            return Ok(());
        }
        let stack = contracts::kernel_memory::allocate_stack().map_err(|_| HostError::NO_MEMORY)?;
        smp::can_be_called();
        let mut result = Err(HostError::AGAIN);
        // SAFETY: the stack was made for it.
        in_first(&mut || result = signal::while_blocked(|| unsafe { thread::start(stack, serve, self) }));
        result?;
        self.started.store(true, Relaxed);
        Ok(())
    }

    fn ask(&self, descriptor: i32, place: [usize; 3]) {
        self.descriptor.store(descriptor, Relaxed);
        self.place.iter().zip(place).for_each(|(word, value)| word.store(value, Relaxed));
        self.state.store(READS, Release);
        thread::wake_word(&self.state);
    }
}

/// Ends all helpers; the next reads have new ones. Their stacks are left to them: nobody knows when they have done with
/// them.
pub fn retire() {
    for helper in ALL.iter().filter(|helper| helper.started.swap(false, Relaxed)) {
        // Who has read is about to be taken notice of, by a thread that cannot run now: its result stays.
        while helper.state.load(Acquire) == READS {
            thread::give_way();
        }
        let state = helper.state.swap(RETIRES, SeqCst);
        thread::wake_word(&helper.state);
        while helper.state.load(Acquire) != RETIRED {
            thread::wake_word(&helper.state);
            thread::give_way();
        }
        helper.state.store(state, SeqCst);
    }
}

/// What a helper does.
extern "sysv64" fn serve(helper: &'static Helper) -> ! {
    loop {
        let state = helper.state.load(Acquire);
        if state == RETIRES {
            helper.state.store(RETIRED, SeqCst);
            thread::end();
        }
        if state != READS {
            thread::wait_for_word(&helper.state, state);
            continue;
        }
        let [address, length, offset] = [0, 1, 2].map(|index| helper.place[index].load(Relaxed));
        let result = match read_descriptor(helper.descriptor.load(Relaxed), address, length, offset as u64) {
            Ok(count) => count as isize,
            Err(HostError(error)) => -(error as isize),
        };
        helper.result.store(result as usize, Relaxed);
        helper.state.store(DONE, Release);
        smp::call_first();
    }
}
