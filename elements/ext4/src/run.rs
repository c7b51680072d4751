//! A stretch of a file on the disk.

/// Where blocks of a file are: the first on the disk, unless there are none and they read as zeros, and how many follow
/// one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub start: Option<u64>,
    pub count: u64,
}
