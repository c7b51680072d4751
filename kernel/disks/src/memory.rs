//! Memory for what is kept of disks.

use kernel::memory::FilePages;
use page_cache::{Pool, Room};
use vfs::Time;

/// What is kept leaves at least this part of memory to programs and kernel: one in 8.
const RESERVED_PART: usize = 8;

/// Pages of disks.
pub static OF_DISKS: Pool = Pool::new(&FilePages, &Space);
/// Pages of files. Apart from those of disks: giving one of these back may need the disk.
pub static OF_FILES: Pool = Pool::new(&FilePages, &Space);

struct Space;

impl Room for Space {
    fn has_room(&self, bytes: usize) -> bool {
        let memory = contracts::memory_report::memory_use();
        memory.free.saturating_sub(bytes) >= memory.total / RESERVED_PART
    }
}

/// The present moment, as files have it.
pub fn now() -> Time {
    i64::try_from(contracts::clock::wall()).unwrap_or(i64::MAX)
}
