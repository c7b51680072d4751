//! Waiting: for a condition, a deadline, or an interruption, whichever comes first.

use crate::{
    task::current,
    timer::{self, TimerId},
};

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited<R> {
    /// The condition came true with this value.
    Ready(R),
    /// The deadline passed first.
    TimedOut,
    /// A signal is to be delivered.
    Interrupted,
}

/// Waits until `ready` returns a value, until `deadline` (nanoseconds of the monotonic clock), or until the thread is
/// interrupted. `ready` is asked at least once, also when the deadline has passed already.
///
/// With one thread there is nobody to switch to, so the processor idles between questions; `ready` is asked again
/// after each interrupt.
pub fn wait<R>(deadline: Option<u64>, mut ready: impl FnMut() -> Option<R>) -> Waited<R> {
    let mut value = None;
    let waited = wait_until(deadline, &mut || {
        value = ready();
        value.is_some()
    });
    match (waited, value) {
        (_, Some(value)) => Waited::Ready(value),
        (Waited::Interrupted, None) => Waited::Interrupted,
        (_, None) => Waited::TimedOut,
    }
}

/// As [`wait`], for a condition alone.
pub fn wait_until(deadline: Option<u64>, ready: &mut dyn FnMut() -> bool) -> Waited<()> {
    if ready() {
        return Waited::Ready(());
    }
    if deadline.is_some() {
        timer::set(TimerId::SLEEP, deadline);
    }
    let outcome = loop {
        contracts::application::work();
        if ready() {
            break Waited::Ready(());
        }
        if current().is_interrupted() {
            break Waited::Interrupted;
        }
        if deadline.is_some_and(|deadline| contracts::clock::monotonic() >= deadline) {
            break Waited::TimedOut;
        }
        contracts::processor::idle();
    };
    if deadline.is_some() {
        timer::set(TimerId::SLEEP, None);
    }
    outcome
}
