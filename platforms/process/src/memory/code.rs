//! The program's instructions, and whatever else is read of a space, through the host's own alias of them:
//! `/proc/self/mem`, proc_pid_mem(5).
//!
//! What is written there ends up in a private copy of the page, whatever may be done with the mapping, as it does for
//! debuggers. So no page is ever writable and executable, and the mapping stays one: a page of another file in the
//! midst of it would make three. A host may forbid it (`proc_mem.force_override`); then nothing is written, and all
//! goes on.

use core::sync::atomic::{AtomicI32, Ordering::Relaxed};

use x86_64::instructions;

use super::spaces::{self, OwnFile};
use crate::{
    host::{HostError, files},
    per_cpu::seat,
};

/// The file, if it is open.
static FILE: AtomicI32 = AtomicI32::new(-1);

/// Opens the file; it is needed if system calls are to be rewritten. What the host refuses is not missed.
pub fn open() -> Option<i32> {
    let descriptor = files::open_memory().ok()?;
    FILE.store(descriptor, Relaxed);
    Some(descriptor)
}

/// Whether code can be written.
pub fn is_open() -> bool {
    FILE.load(Relaxed) >= 0
}

/// The file of the space that the processor is in. Where the first has none, nobody may open one.
fn file() -> Result<i32, HostError> {
    if !is_open() {
        return Err(HostError::FAULT);
    }
    if !seat::moves() || core::ptr::eq(spaces::here(), &spaces::FIRST) {
        return Ok(FILE.load(Relaxed));
    }
    spaces::here().file(OwnFile::Memory, || files::open_memory().ok()).ok_or(HostError::FAULT)
}

/// Reads what is there.
pub fn read(address: usize, bytes: &mut [u8]) -> Result<(), HostError> {
    let count = files::read_at(file()?, bytes, address)?;
    if count == bytes.len() { Ok(()) } else { Err(HostError::FAULT) }
}

/// Writes code of the program's.
pub fn write(address: usize, bytes: &[u8]) -> Result<(), HostError> {
    // SAFETY: the program's memory is nothing of Rust's.
    let count = unsafe { files::write_at(file()?, bytes, address) }?;
    // This processor has fetched from another address than was written to (Intel SDM volume 3, 8.1.3).
    instructions::serialize();
    if count == bytes.len() { Ok(()) } else { Err(HostError::FAULT) }
}
