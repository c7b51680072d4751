//! Slots of which the kernel needs little: entropy, and what is said about memory.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use machine::{Audit, AuditError, MemoryUse, PAGE_SIZE};

use crate::{kernel_memory::pages_in_use, pager::frames_in_use};

/// The same numbers in each run (SplitMix64).
#[derive(Debug)]
pub struct Entropy;

static SEED: AtomicU64 = AtomicU64::new(0);

impl machine::Entropy for Entropy {
    fn fill(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            let seed = SEED.fetch_add(0x9e37_79b9_7f4a_7c15, SeqCst);
            let mixed = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            chunk.copy_from_slice(&(mixed ^ mixed >> 27).to_le_bytes()[..chunk.len()]);
        }
    }
}

/// What is in use, of a machine of 1 GB.
#[derive(Debug)]
pub struct Report;

const TOTAL: usize = 1 << 30;

impl machine::MemoryReport for Report {
    fn memory_use(&self) -> MemoryUse {
        MemoryUse { total: TOTAL, free: TOTAL - (frames_in_use() + pages_in_use()) * PAGE_SIZE }
    }

    /// The pager looks at each page when its protection changes.
    fn audit(&self) -> Result<Audit, AuditError> {
        Ok(Audit::default())
    }
}
