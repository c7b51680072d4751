//! The ends that send.

use core::fmt;

use super::{Channel, SendError, TrySendError};
use crate::sync::Arc;

/// Sends, and never waits.
pub struct Sender<T>(End<T>);

/// Sends, and waits for room.
pub struct SyncSender<T>(End<T>);

/// One of a channel's senders.
struct End<T>(Arc<Channel<T>>);

impl<T> Clone for End<T> {
    fn clone(&self) -> Self {
        self.0.state().senders += 1;
        Self(Arc::clone(&self.0))
    }
}

impl<T> Drop for End<T> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.senders -= 1;
        if state.senders == 0 {
            self.0.filled.notify_one();
        }
    }
}

impl<T> End<T> {
    fn send(&self, value: T) -> Result<(), SendError<T>> {
        let mut state = self.0.state();
        while state.has_receiver && state.queue.len() >= state.bound.max(1) {
            state = Channel::wait(&self.0.emptied, state);
        }
        if !state.has_receiver {
            return Err(SendError(value));
        }
        state.queue.push_back(value);
        state.sent += 1;
        let mine = state.sent;
        self.0.filled.notify_one();
        while state.bound == 0 && state.has_receiver && state.received < mine {
            state = Channel::wait(&self.0.emptied, state);
        }
        // Only a receiver that went away leaves one there.
        let left = if state.bound == 0 && state.received < mine { state.queue.pop_back() } else { None };
        left.map_or(Ok(()), |value| Err(SendError(value)))
    }

    fn try_send(&self, value: T) -> Result<(), TrySendError<T>> {
        let mut state = self.0.state();
        if !state.has_receiver {
            return Err(TrySendError::Disconnected(value));
        }
        let room = if state.bound == 0 { usize::from(state.receiving) } else { state.bound };
        if state.queue.len() >= room {
            return Err(TrySendError::Full(value));
        }
        state.queue.push_back(value);
        state.sent += 1;
        self.0.filled.notify_one();
        Ok(())
    }
}

impl<T> Sender<T> {
    pub(super) fn new(channel: Arc<Channel<T>>) -> Self {
        Self(End(channel))
    }

    /// Sends a value.
    ///
    /// # Errors
    /// Nobody receives any more; the value comes back.
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        self.0.send(value)
    }
}

impl<T> SyncSender<T> {
    pub(super) fn new(channel: Arc<Channel<T>>) -> Self {
        Self(End(channel))
    }

    /// Sends a value when there is room.
    ///
    /// # Errors
    /// Nobody receives any more; the value comes back.
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        self.0.send(value)
    }

    /// Sends a value if there is room.
    ///
    /// # Errors
    /// There is none, or nobody receives any more; the value comes back.
    pub fn try_send(&self, value: T) -> Result<(), TrySendError<T>> {
        self.0.try_send(value)
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Clone for SyncSender<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Sender").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for SyncSender<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SyncSender").finish_non_exhaustive()
    }
}
