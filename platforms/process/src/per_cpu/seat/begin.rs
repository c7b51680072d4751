//! How a host thread comes to its seat, and how a process gets another one.

use core::{
    ptr,
    sync::atomic::Ordering::{Relaxed, SeqCst},
};

use super::{Seat, several};
use crate::host::{
    self, process,
    signal::{self, CALL},
    thread,
};

impl Seat {
    /// Its host thread will begin on the stack below `top`, for the processor that has taken the seat.
    pub fn prepare(&self, space: usize, process: u32, top: usize) {
        self.taken.store(true, SeqCst);
        self.stack.store(top, SeqCst);
        self.belong(space, process, 0);
    }

    /// Has its host thread make the one for `another`. `false`: it is asked already.
    pub fn want(&self, another: &'static Self) -> bool {
        let another = ptr::from_ref(another).cast_mut();
        if self.wanted.compare_exchange(ptr::null_mut(), another, SeqCst, SeqCst).is_err() {
            return false;
        }
        thread::signal(self.process(), self.thread(), CALL);
        true
    }

    /// Its host thread has this number.
    pub fn has_begun(&self, thread: u32) {
        self.thread.store(thread, SeqCst);
    }
}

/// The calling host thread, new and with all signals blocked that can wait, belongs to this seat: it gets its signal
/// stack, and system calls that are not the kernel's come to the kernel. No processor is here, so nobody could say why
/// that fails: the process ends then.
pub fn begin(seat: &'static Seat) {
    let stack = seat.signal_stack();
    // SAFETY: the seat's signal stack is used for nothing else.
    let result = unsafe { signal::set_stack(stack.start, stack.len()) };
    if result.and_then(|()| process::dispatch_system_calls(&host::instructions())).is_err() {
        process::exit(1);
    }
}

/// Makes the host thread that is wanted of the one at `seat`, which is the calling one.
#[inline(always)]
pub fn make_wanted(seat: &Seat) {
    if several() && !seat.wanted.load(Relaxed).is_null() {
        make_another(seat);
    }
}

#[cold]
fn make_another(seat: &Seat) {
    // SAFETY: seats live for ever.
    let Some(wanted) = (unsafe { seat.wanted.swap(ptr::null_mut(), SeqCst).as_ref() }) else { return };
    // SAFETY: the stack is the seat's own, which nobody has been on.
    let made = signal::while_blocked(|| unsafe { thread::start(wanted.stack.load(SeqCst), first, wanted) });
    assert!(made.is_ok(), "the host refuses another thread: {made:?}");
}

/// The first function of another host thread of a process.
extern "sysv64" fn first(seat: &'static Seat) -> ! {
    begin(seat);
    seat.has_begun(thread::own());
    signal::unblock();
    seat.serve()
}
