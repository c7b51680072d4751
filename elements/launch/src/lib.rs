//! The launch record: what the command tells a starting kernel about the program to run.
//!
//! It is the contents of the boot archive's entry [`ARCHIVE_NAME`]: fields `key=value`, each ended by a NUL byte, in
//! any order; `argument` and `environment` may repeat, and their order counts. A reader skips keys it does not know.
//! Behind an empty field is what no start needs ([`Key::is_late`]): it is read when somebody asks for it.
//! Kernel command lines are limited (4 KB on some machines), archives are not, so everything travels here.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod build;
mod key;
mod read;

pub use build::Builder;
pub use key::Key;
pub use read::Launch;

/// Name of the archive entry that holds the record; always the archive's first.
pub const ARCHIVE_NAME: &str = ".whittle/launch";

/// Where a position-independent program is loaded when `randomize` is `0`, so that a debugger can be told beforehand.
/// It is where Linux puts one without randomisation (two thirds of the address space, ELF_ET_DYN_BASE).
pub const FIXED_IMAGE_BASE: u64 = 0x5555_5555_4000;
