//! x86-64 page tables of four levels (Intel SDM volume 3, 4.5): map, change, move, inspect.
//!
//! [`Tables`] walks them through [`TableMemory`], by which the owner says where table frames come from and how their
//! entries are read and written; so all of this runs on a laptop. How an entry looks, the architecture says. Leaf
//! entries belong to the caller: any entry that is not [`Entry::EMPTY`] stays, also one without [`Entry::PRESENT`] (a
//! page whose access is taken away for now).
//!
//! How many entries of a table are in use stands in the bits of its parent's entry that the processor ignores, so
//! giving back a table that became empty costs no scan. Translations that the processor remembers are not this
//! element's business: the caller flushes.
#![no_std]
#![forbid(unsafe_code)]

mod change;
mod clear;
mod inspect;
mod near;
mod relocate;
mod tables;
#[cfg(test)]
mod tests;

pub use architecture::current::page_table::{PageSize, PageTableEntry as Entry};
pub use inspect::Leaf;
pub use near::Near;
pub use tables::{MapError, TableMemory, Tables};
