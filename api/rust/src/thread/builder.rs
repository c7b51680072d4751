//! Threads with a name, or a stack of their own choice.

use alloc_crate::string::String;

use kernel::task::function::{self, NoRoom, Options};

use super::{JoinHandle, Parameters, Scope, ScopedJoinHandle};
use crate::io;

/// What a thread is to have.
#[derive(Debug, Default)]
#[must_use]
pub struct Builder(Options);

impl From<NoRoom> for io::Error {
    fn from(_: NoRoom) -> Self {
        io::ErrorKind::WouldBlock.into()
    }
}

impl Builder {
    /// The usual.
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// With a name.
    pub fn name(mut self, name: String) -> Self {
        self.0.name = Some(name.into_boxed_str());
        self
    }

    /// With a stack of so many bytes; the image's setting `thread_stack` says how many it has otherwise.
    pub fn stack_size(mut self, bytes: usize) -> Self {
        self.0.stack = bytes.max(1);
        self
    }

    /// Beyond the standard library: all vector registers are saved when the thread is left and loaded when it goes on,
    /// for code that keeps something there across calls.
    pub fn keep_vectors(mut self) -> Self {
        self.0.vectors = true;
        self
    }

    /// Beyond the standard library: what the scheduler is told about the thread before it first runs.
    pub fn parameters(mut self, parameters: Parameters) -> Self {
        self.0.parameters = Some(parameters);
        self
    }

    /// Has `work` run in a thread of its own.
    ///
    /// # Errors
    /// There is no memory for it, or the image's scheduler keeps one thread only.
    #[inline]
    pub fn spawn<F, T>(self, work: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        Ok(JoinHandle(function::spawn(self.0, work)?))
    }

    /// Has `work` run in a thread of its own that ends before the scope does.
    ///
    /// # Errors
    /// There is no memory for it, or the image's scheduler keeps one thread only.
    pub fn spawn_scoped<'scope, 'env, F, T>(
        self,
        scope: &'scope Scope<'scope, 'env>,
        work: F,
    ) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        Ok(scope.start(self.0, work)?)
    }
}
