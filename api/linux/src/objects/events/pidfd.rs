//! A process as a descriptor: pidfd_open(2).

use alloc::sync::{Arc, Weak};

use vfs::{Node, Readiness};

use super::NOTHING;
use crate::Process;

/// It becomes readable when the process ends; whoever could look then has ended with it.
pub struct PidFd(Weak<Process>);

impl PidFd {
    /// Means this process.
    #[must_use]
    pub fn new(process: &Arc<Process>) -> Self {
        Self(Arc::downgrade(process))
    }

    /// The process, if it is still there.
    #[must_use]
    pub fn process(&self) -> Option<Arc<Process>> {
        self.0.upgrade()
    }
}

impl Node for PidFd {
    nameless_stream!(Stream);

    fn readiness(&self) -> Readiness {
        NOTHING
    }
}
