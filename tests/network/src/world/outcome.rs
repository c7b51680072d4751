//! What a run comes to.

use std::time::Duration;

/// What a run was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Frames that were sent.
    pub frames: u64,
    /// Frames that were lost, also in a full queue.
    pub lost: u64,
    /// Bytes that programs have sent and received.
    pub bytes: u64,
    /// Connections that went their whole way.
    pub whole: u64,
    /// Connections that one end has broken, as planned.
    pub broken: u64,
    /// How long the programs took.
    pub time: Duration,
    /// A sum over all frames and their moments: equal runs have equal ones.
    pub digest: u64,
}

/// What went wrong in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// For people: what, and how everything stood.
    pub text: String,
    /// Of a run that does not end: whether the next move would have been that of each side
    /// ([`crate::host::Host::owes`]).
    pub owing: Option<[bool; 2]>,
}

impl Counts {
    /// Adds those of another run.
    pub fn add(&mut self, other: &Self) {
        self.frames += other.frames;
        self.lost += other.lost;
        self.bytes += other.bytes;
        self.whole += other.whole;
        self.broken += other.broken;
        self.time += other.time;
        self.digest ^= other.digest;
    }
}
