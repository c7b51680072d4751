//! The program's instructions, and whatever else is read of a space. What is written goes through the host's own alias
//! of them: `/proc/self/mem`, proc_pid_mem(5). What the program may not read is read by it, too.
//!
//! What is written there ends up in a private copy of the page, whatever may be done with the mapping, as it does for
//! debuggers. So no page is ever writable and executable, and the mapping stays one: a page of another file in the
//! midst of it would make three. A host may forbid it (`proc_mem.force_override`); then nothing is written, and all
//! goes on.

use core::sync::atomic::{AtomicI32, Ordering::Relaxed};

use machine::PAGE_SIZE;
use x86_64::{instructions, user};

use super::spaces::{self, OwnFile};
use crate::{
    host::{HostError, files},
    layout,
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
    if is_copied(address, bytes) {
        return Ok(());
    }
    let count = files::read_at(file()?, bytes, address)?;
    if count == bytes.len() { Ok(()) } else { Err(HostError::FAULT) }
}

/// Copies what the program could read by itself; `false` where it could not, or nothing is there yet.
fn is_copied(address: usize, bytes: &mut [u8]) -> bool {
    let mut copied = 0;
    while contracts::config().short_ways && copied < bytes.len() {
        let at = address + copied;
        let count = (bytes.len() - copied).min(PAGE_SIZE - at % PAGE_SIZE);
        if user::copy_in_here(&layout::user_range(), &mut bytes[copied..copied + count], at).is_none() {
            return false;
        }
        copied += count;
    }
    copied == bytes.len()
}

/// Writes code of the program's.
pub fn write(address: usize, bytes: &[u8]) -> Result<(), HostError> {
    // SAFETY: the program's memory is nothing of Rust's.
    let count = unsafe { files::write_at(file()?, bytes, address) }?;
    // This processor has fetched from another address than was written to (Intel SDM volume 3, 8.1.3).
    instructions::serialize();
    if count == bytes.len() { Ok(()) } else { Err(HostError::FAULT) }
}
