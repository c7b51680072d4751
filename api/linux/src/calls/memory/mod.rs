//! Memory: mappings, the program break, and advice about them. The rules are in `kernel::memory`.

pub mod brk;
pub mod madvise;
pub mod mincore;
pub mod mlock;
pub mod mlock2;
pub mod mlockall;
pub mod mmap;
pub mod mprotect;
pub mod mremap;
pub mod mseal;
pub mod msync;
pub mod munlock;
pub mod munlockall;
pub mod munmap;
pub mod remap_file_pages;
