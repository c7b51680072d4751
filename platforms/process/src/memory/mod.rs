//! Memory: regions of the program's as mappings of the host's, the kernel's own pages, stacks.

mod arena;
mod audit;
mod file_pages;
pub mod hidden;
mod mappings;
mod pager;
mod stacks;

pub use arena::ARENA;
pub use pager::{ARCHIVE, Pager, SELDOM_USED, set_archive, set_up};
