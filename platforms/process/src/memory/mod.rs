//! Memory: regions of the program's as mappings of the host's, the kernel's own pages, stacks.

mod anchor;
mod arena;
mod audit;
pub mod code;
mod file_pages;
pub mod hidden;
mod kernel_memory;
mod mappings;
mod platform_page;
mod report;
pub mod spaces;
mod stacks;
mod translations;

pub use arena::ARENA;
pub use kernel_memory::KernelMemory;
pub use report::{MemoryReport, SELDOM_USED, set_limit};
pub use translations::{ARCHIVE, Translations, set_archive, set_archive_length};
