//! What a program at one end of a connection does.

use std::time::Duration;

/// The whole of it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Bytes that it sends.
    pub sends: u64,
    /// How it writes.
    pub writing: Pace,
    /// How it reads.
    pub reading: Pace,
    /// When it says that it has nothing more to say.
    pub finish: Finish,
    /// It resets the connection when it has sent and received so many bytes.
    pub aborts_after: Option<u64>,
}

/// How bytes go in or out.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The most bytes of one call.
    pub largest: usize,
    /// It pauses after so many bytes.
    pub stretch: u64,
    /// For so long.
    pub pause: Duration,
}

/// How a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// It shuts down when all is written, and goes on reading.
    HalfClose,
    /// It waits for the other's end first. One of the two ends must not.
    AfterTheOther,
    /// It gives the socket back as soon as all is written. Only for one to which nobody sends.
    Close,
}
