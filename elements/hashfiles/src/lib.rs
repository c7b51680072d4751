//! Files in a hash table: from a name, or the digest of its contents, straight to an extent.
//!
//! After SHFS, the file system of Unikraft's and MiniCache's web cache (S. Kuenzer et al., "Unikernels Everywhere: The
//! Case for Elastic CDNs", VEE 2017): a program that knows its files' names needs no directories, no walk and no table
//! of open files. An image is written once, by [`plan`] on a host, and read in place or through [`Below`], bytes at an
//! offset of whatever has them: memory, a disk. [`Volume::open`] gives a [`File`], which is four numbers.
//!
//! | bytes of an image, all numbers little-endian | |
//! |---|---|
//! | [`layout::Header`] | what it is, and how long everything is |
//! | names, digests | two tables of [`layout::Slot`]s, by open addressing |
//! | entries | [`layout::Entry`] for each name |
//! | texts | the names, one behind the other |
//! | contents | each from a block's beginning on; those of the same digest are there once |
//!
//! What an image says is looked at when it is opened, all of it but the contents; those are compared with their digests
//! by [`File::verify`]. Nothing is ever written, so there is nothing that a crash could lose.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod below;
mod check;
mod file;
mod hash;
pub mod layout;
mod plan;
mod volume;

pub use below::{Below, Unreadable};
pub use check::Error;
pub use file::File;
pub use hash::{Digest, digest};
pub use plan::{Named, Plan, Refusal, plan};
pub use volume::Volume;

#[cfg(test)]
mod tests;
