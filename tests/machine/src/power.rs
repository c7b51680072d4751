//! The slot `power`: the machine ends only when something is wrong, or when the test says that it should.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::atomic::{AtomicBool, Ordering::SeqCst},
};

use machine::ExitReason;

/// Fills the slot.
#[derive(Debug)]
pub struct Power;

static EXPECTED: AtomicBool = AtomicBool::new(false);

struct Ended(ExitReason);

impl machine::Power for Power {
    fn exit(&self, reason: ExitReason) -> ! {
        if EXPECTED.swap(false, SeqCst) {
            // No panic: nothing is wrong, and nothing is to be said.
            resume_unwind(Box::new(Ended(reason)))
        }
        crate::failure::give_in(&format!("the kernel ended the machine: {reason:?}"))
    }
}

/// How the machine ends by what `work` does; `None` if it goes on. In truth it goes on, behind `work`.
pub fn end_by(work: impl FnOnce()) -> Option<ExitReason> {
    EXPECTED.store(true, SeqCst);
    let ended = catch_unwind(AssertUnwindSafe(work));
    EXPECTED.store(false, SeqCst);
    match ended.map_err(|panic| panic.downcast::<Ended>()) {
        Ok(()) => None,
        Err(Ok(ended)) => Some(ended.0),
        Err(Err(panic)) => resume_unwind(panic),
    }
}
