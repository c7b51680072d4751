//! A process as a descriptor: pidfd_open(2).

use alloc::sync::Arc;

use sync::WaitQueue;
use vfs::{Node, Readiness};

use crate::{
    Process,
    objects::{ability, process::kin::FAMILIES},
};

/// It becomes readable when the process ends.
pub struct PidFd(Arc<Process>);

impl PidFd {
    /// Means this process.
    #[must_use]
    pub fn new(process: &Arc<Process>) -> Self {
        Self(Arc::clone(process))
    }

    /// The process, if it is still there: it may have ended, but was not waited for.
    #[must_use]
    pub fn process(&self) -> Option<&Arc<Process>> {
        let is_there = !ability::processes() || FAMILIES.lock().has(self.0.id);
        is_there.then_some(&self.0)
    }

    /// The process' number.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.0.id
    }
}

impl Node for PidFd {
    nameless_stream!(Stream);

    fn readiness(&self) -> Readiness {
        let families = FAMILIES.lock();
        let lives = !ability::processes() || families.has(self.0.id) && !families.has_ended(self.0.id);
        Readiness::READABLE.when(!lives)
    }

    fn wait_queue(&self) -> Option<&WaitQueue> {
        ability::processes().then(|| &self.0.kin().ended)
    }
}
