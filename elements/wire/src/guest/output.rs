//! A console that is frames of output and nothing else: output and error in one order, and nothing to read.

use core::marker::PhantomData;

use machine::{ConsoleError, Stream};

use crate::{FromGuest, Header, MAX_PAYLOAD};

/// A way to the host that takes every frame, whether somebody is there or not.
pub trait Sender: 'static {
    /// Sends a frame.
    fn send(header: Header, payload: &[u8]);
}

/// The console over it.
#[derive(Debug, Default)]
pub struct Output<S>(PhantomData<fn() -> S>);

impl<S> Output<S> {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<S: Sender> machine::Console for Output<S> {
    fn read(&self, _: &mut [u8]) -> Result<usize, ConsoleError> {
        Ok(0)
    }

    fn write(&self, stream: Stream, bytes: &[u8]) -> Result<usize, ConsoleError> {
        let bytes = &bytes[..bytes.len().min(MAX_PAYLOAD)];
        let kind = FromGuest::Output as u8;
        S::send(Header { kind, argument: stream as u8, length: bytes.len() as u32, number: 0 }, bytes);
        Ok(bytes.len())
    }
}
