//! Executables: an ELF file's headers, validated into a plan for loading it, and the `#!` line of a script.
//!
//! Pure: the caller hands in a way to read the file, and gets addresses and offsets to map. Nothing that a file says
//! is believed before it is checked, so that a hostile one gives an [`Error`] and never a panic or a wild mapping.
//!
//! Source: System V ABI, chapters 4 and 5; the AMD64 supplement; `fs/binfmt_elf.c` of Linux for what is tolerated.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod build_id;
mod error;
mod frames;
mod header;
mod plan;
mod script;
mod segment;

#[cfg(test)]
mod tests;

pub use build_id::build_id;
pub use error::{Error, machine_name};
pub use frames::{Frames, frames};
pub use plan::{Kind, Plan};
pub use script::{MAX_LINE, Script, is_script};
pub use segment::{Rights, Segment};

/// Reads parts of the file: fills the whole buffer from this byte offset on, or says that it cannot.
pub trait ReadAt {
    /// `false` if the file has no such bytes.
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> bool;
}

impl<F: FnMut(u64, &mut [u8]) -> bool> ReadAt for F {
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> bool {
        self(offset, buffer)
    }
}

/// Bytes of a page: segments are mapped in such units.
const PAGE: u64 = 4096;
