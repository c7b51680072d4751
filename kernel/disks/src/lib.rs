//! Disks: the contract `blkdev` as block devices that programs open, and the file systems on them as trees.
//!
//! A disk has a page cache of its own ([`page_cache`]): what describes files, and what programs read of the device, are
//! kept there, and each write goes through it to the disk at once. What is in files has further pages, which programs
//! can map. Nothing is looked for before somebody asks.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod device;
mod disk;
mod memory;
mod ram;
mod volumes;

pub use ram::RamDisk;
pub use volumes::Volumes;
