//! Memory: the kernel's heap and the application's address spaces.
//!
//! An [`AddressSpace`] joins the book of regions (element `regions`) with the slot `translations`. Programs see Linux's
//! rules; the one thing added is W^X: a page that a program wants both writable and executable is one of the two at a
//! time, and changes over when the other is used.

mod cpuid;
mod duplicate;
mod fault;
mod file_pages;
mod heap;
mod hidden;
mod in_place;
mod limits;
mod locks;
mod map;
mod named_sites;
mod program_break;
mod remap;
pub mod reserve;
mod rewriting;
mod seals;
mod space;
mod stack;
mod ways;
mod words;

pub use cpuid::LoadedObject;
pub use file_pages::FilePages;
pub use heap::{EachProcessor, KernelPages, OneProcessor};
pub use in_place::in_place;
pub use map::{MapRequest, Placement};
pub use named_sites::{except_sites, expect_sites, unmet_exceptions};
pub use regions::{FileReference, MappedFile, NoPage, NotKept, Region, RegionKind, STACK_GAP};
pub use remap::{Left, Move};
pub use rewrite::{
    Kind as RewriteKind, Left as RewriteLeft, Named as NamedSite, Object as SitesOfObject, Others as OtherSystemCalls,
    Seen as SystemCallSite, digits,
};
pub use rewriting::{SystemCalls, call_entry, looks_at_system_calls, set_system_calls};
pub use space::{AddressSpace, MemoryError};
pub use ways::{Ways, ways};
