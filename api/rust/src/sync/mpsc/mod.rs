//! Channels with many senders and one receiver.

mod errors;
mod receiver;
mod sender;

use alloc_crate::collections::VecDeque;

use super::{Arc, Condvar, Mutex, MutexGuard};

pub use errors::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};
pub use receiver::{IntoIter, Iter, Receiver, TryIter};
pub use sender::{Sender, SyncSender};

/// What both ends share.
struct Channel<T> {
    state: Mutex<State<T>>,
    /// Something was sent, or nobody sends any more.
    filled: Condvar,
    /// Something was received, or nobody receives any more.
    emptied: Condvar,
}

struct State<T> {
    queue: VecDeque<T>,
    /// How many wait to be received at most. With 0 a sender waits until what it sent has been received.
    bound: usize,
    senders: usize,
    has_receiver: bool,
    /// The receiver waits for something.
    receiving: bool,
    sent: u64,
    received: u64,
}

impl<T> Channel<T> {
    fn new(bound: usize) -> Arc<Self> {
        let state = State {
            queue: VecDeque::new(),
            bound,
            senders: 1,
            has_receiver: true,
            receiving: false,
            sent: 0,
            received: 0,
        };
        Arc::new(Self { state: Mutex::new(state), filled: Condvar::new(), emptied: Condvar::new() })
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        match self.state.lock() {
            Ok(state) => state,
            Err(poisoned) => poisoned.into_inner(),
        }
    }

    /// Waits on one of the two conditions.
    fn wait<'a>(condition: &Condvar, state: MutexGuard<'a, State<T>>) -> MutexGuard<'a, State<T>> {
        match condition.wait(state) {
            Ok(state) => state,
            Err(poisoned) => poisoned.into_inner(),
        }
    }
}

/// A channel without a bound.
#[must_use]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let channel = Channel::new(usize::MAX);
    (Sender::new(Arc::clone(&channel)), Receiver::new(channel))
}

/// A channel in which at most `bound` values wait.
#[must_use]
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let channel = Channel::new(bound);
    (SyncSender::new(Arc::clone(&channel)), Receiver::new(channel))
}
