//! The machine, as the RAM file system sees it.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use vfs::{FileError, Kind, Node, Time, ramfs::Surroundings};

use crate::clock;

/// Files leave at least this part of memory to programs and kernel: one in 16.
const RESERVED_PART: usize = 16;

/// Bytes that files may take before the machine is asked again, which on a host takes three of its calls: a part of
/// what was left, and less than could hurt anybody.
static GRANTED: AtomicUsize = AtomicUsize::new(0);
const GRANTED_PART: usize = 64;
const MOST_GRANTED: usize = 1 << 20;

/// The machine that this kernel runs on.
pub struct Machine;

impl Surroundings for Machine {
    fn now(&self) -> Time {
        clock::now()
    }

    fn has_room(&self, bytes: usize) -> bool {
        let granted = GRANTED.load(Relaxed);
        if let Some(rest) = granted.checked_sub(bytes) {
            GRANTED.store(rest, Relaxed);
            return true;
        }
        let memory = contracts::memory_report::memory_use();
        let left = memory.free.saturating_sub(memory.total / RESERVED_PART);
        GRANTED.store((left.saturating_sub(bytes) / GRANTED_PART).min(MOST_GRANTED), Relaxed);
        bytes <= left
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
