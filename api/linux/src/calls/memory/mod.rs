//! Memory: mappings, the program break, and advice about them. The rules are in `kernel::memory`.

mod brk;
mod lock;
mod madvise;
mod mincore;
mod mmap;
mod msync;
mod protect;
mod remap;

pub use brk::brk;
pub use lock::{mlock, mlock2, mlockall, munlock, munlockall};
pub use madvise::madvise;
pub use mincore::mincore;
pub use mmap::mmap;
pub use msync::msync;
pub use protect::{mprotect, mseal};
pub use remap::{mremap, munmap, remap_file_pages};
