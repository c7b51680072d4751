//! The end that receives.

use core::{fmt, marker::PhantomData};

use super::{Channel, RecvError, RecvTimeoutError, State, TryRecvError};
use crate::{
    sync::{Arc, MutexGuard},
    thread::deadline_in,
    time::Duration,
};

/// Receives what the senders send. One thread at a time has it.
pub struct Receiver<T> {
    channel: Arc<Channel<T>>,
    /// Not `Sync`, as the standard library's.
    alone: PhantomData<core::cell::Cell<()>>,
}

impl<T> Receiver<T> {
    pub(super) fn new(channel: Arc<Channel<T>>) -> Self {
        Self { channel, alone: PhantomData }
    }

    fn take(&self, state: &mut MutexGuard<'_, State<T>>) -> Result<T, TryRecvError> {
        match state.queue.pop_front() {
            Some(value) => {
                state.received += 1;
                if state.bound != usize::MAX {
                    self.channel.emptied.notify_all();
                }
                Ok(value)
            }
            None if state.senders == 0 => Err(TryRecvError::Disconnected),
            None => Err(TryRecvError::Empty),
        }
    }

    /// Receives a value, if there is one.
    ///
    /// # Errors
    /// There is none, or there will never be one.
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        self.take(&mut self.channel.state())
    }

    /// Receives a value when there is one.
    ///
    /// # Errors
    /// There will never be one.
    pub fn recv(&self) -> Result<T, RecvError> {
        let mut state = self.channel.state();
        loop {
            match self.take(&mut state) {
                Ok(value) => return Ok(value),
                Err(TryRecvError::Disconnected) => return Err(RecvError),
                Err(TryRecvError::Empty) => {
                    state.receiving = true;
                    state = Channel::wait(&self.channel.filled, state);
                    state.receiving = false;
                }
            }
        }
    }

    /// The same, at most so long.
    ///
    /// # Errors
    /// There was none in time, or there will never be one.
    pub fn recv_timeout(&self, longest: Duration) -> Result<T, RecvTimeoutError> {
        let deadline = deadline_in(longest);
        let mut state = self.channel.state();
        loop {
            match self.take(&mut state) {
                Ok(value) => return Ok(value),
                Err(TryRecvError::Disconnected) => return Err(RecvTimeoutError::Disconnected),
                Err(TryRecvError::Empty) => {
                    let left = deadline.saturating_sub(contracts::clock::monotonic());
                    if left == 0 {
                        return Err(RecvTimeoutError::Timeout);
                    }
                    state.receiving = true;
                    let waited = self.channel.filled.wait_timeout(state, Duration::from_nanos(left));
                    (state, _) = waited.unwrap_or_else(super::super::PoisonError::into_inner);
                    state.receiving = false;
                }
            }
        }
    }

    /// What comes, until there will be nothing.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter(self)
    }

    /// What is there.
    pub fn try_iter(&self) -> TryIter<'_, T> {
        TryIter(self)
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        let mut state = self.channel.state();
        state.has_receiver = false;
        // A sender that waits for its value's receipt takes it back.
        let left = if state.bound == 0 { Default::default() } else { core::mem::take(&mut state.queue) };
        self.channel.emptied.notify_all();
        drop(state);
        drop(left);
    }
}

/// See [`Receiver::iter`].
#[derive(Debug)]
pub struct Iter<'a, T>(&'a Receiver<T>);

/// See [`Receiver::try_iter`].
#[derive(Debug)]
pub struct TryIter<'a, T>(&'a Receiver<T>);

/// What comes, until there will be nothing.
#[derive(Debug)]
pub struct IntoIter<T>(Receiver<T>);

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.recv().ok()
    }
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.try_recv().ok()
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.recv().ok()
    }
}

impl<'a, T> IntoIterator for &'a Receiver<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter(self)
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Receiver").finish_non_exhaustive()
    }
}
