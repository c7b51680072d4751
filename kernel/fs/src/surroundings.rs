//! The machine, as the RAM file system sees it.

use alloc::sync::Arc;

use vfs::{FileError, Kind, Node, Time, ramfs::Surroundings};

use crate::clock;

/// Files leave at least this part of memory to programs and kernel: one in 16.
const RESERVED_PART: usize = 16;

/// The machine that this kernel runs on.
pub struct Machine;

impl Surroundings for Machine {
    fn now(&self) -> Time {
        clock::now()
    }

    fn has_room(&self, bytes: usize) -> bool {
        let memory = contracts::memory_report::memory_use();
        memory.free.saturating_sub(bytes) >= memory.total / RESERVED_PART
    }

    fn memory(&self) -> (u64, u64) {
        let memory = contracts::memory_report::memory_use();
        (memory.total as u64, memory.free as u64)
    }

    fn pages(&self) -> &'static dyn pages::Memory {
        &kernel::memory::FilePages
    }

    fn device(&self, kind: Kind, number: (u32, u32)) -> Result<Arc<dyn Node>, FileError> {
        crate::dev::open(kind, number)
    }
}
