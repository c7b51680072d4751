//! The short way of the calls that move a few bytes: from a descriptor to bytes in memory and back, with nobody asked
//! to wait, and nothing held beyond the descriptor table's lock.
//!
//! It does all that the general way does, or nothing: then that is gone. The copy brings in no page, so locks may be
//! held around it.

use alloc::sync::Arc;
use core::num::NonZeroUsize;

use linux_abi::{Errno, FileDescriptor, UserInput, UserOutput};
use machine::PAGE_SIZE;
use vfs::{Kind, Moved, Seeking, ShortSink, ShortSource};

use super::longest;
use crate::objects::{
    descriptors::{
        Description,
        description::{SHORT_READ, SHORT_WRITE},
        watching,
    },
    process,
};

/// What became of a call.
pub enum Short {
    /// So many bytes were moved.
    Moved(usize),
    /// Nothing happened, and this is the open file to go on with.
    Left(Arc<Description>),
}

/// The program's memory at `buffer`.
#[inline(always)]
fn sink(buffer: UserOutput) -> ShortSink {
    ShortSink { place: buffer.0, copy: contracts::user_memory::copy_out_here }
}

/// The same, to be read.
#[inline(always)]
pub fn source(buffer: UserInput) -> ShortSource {
    ShortSource { place: buffer.0, copy: contracts::user_memory::copy_in_here }
}

/// Finds an open file, and has `work` move `count` bytes if its short way is open to `way`. EBADF without one.
#[inline(always)]
fn short(
    number: FileDescriptor,
    count: usize,
    way: u32,
    work: impl FnOnce(&Description) -> Moved,
) -> Result<Short, Errno> {
    let table = process::descriptors_in_line();
    let description = table.get_in_line(number.0)?;
    if description.has_way(way)
        && count.wrapping_sub(1) < PAGE_SIZE
        && !watching::is_watched()
        && let Some(moved) = work(description)
    {
        return Ok(Short::Moved(moved.get()));
    }
    core::hint::cold_path();
    Ok(Short::Left(Arc::clone(description)))
}

/// read(2).
#[inline(always)]
pub fn read(number: FileDescriptor, buffer: UserOutput, count: usize) -> Result<Short, Errno> {
    short(number, count, SHORT_READ, |description| {
        let sink = sink(buffer);
        if description.seeking != Seeking::Bytes {
            return description.node.read_short(0, count, sink);
        }
        description.position.try_with(|position| {
            let moved = description.node.read_short(position.offset, count, sink);
            position.offset += moved.map_or(0, NonZeroUsize::get) as u64;
            moved
        })
    })
}

/// pread(2).
#[inline(always)]
pub fn read_at(number: FileDescriptor, buffer: UserOutput, count: usize, offset: u64) -> Result<Short, Errno> {
    short(number, count, SHORT_READ, |description| {
        let sink = sink(buffer);
        let is_file = description.seeking == Seeking::Bytes;
        if is_file { description.node.read_short(offset, count, sink) } else { None }
    })
}

/// write(2).
#[inline(always)]
pub fn write(number: FileDescriptor, buffer: UserInput, count: usize) -> Result<Short, Errno> {
    short(number, count, SHORT_WRITE, |description| {
        let source = source(buffer);
        if description.seeking != Seeking::Bytes {
            // Not all look at the bytes, but Linux looks at their address.
            let may_be = buffer.0 < isize::MAX as usize - PAGE_SIZE;
            return if may_be { description.node.write_short(0, count, source) } else { None };
        }
        if longest::may_be_limited() {
            return None;
        }
        description.position.try_with(|position| {
            let moved = description.node.write_short(position.offset, count, source);
            position.offset += moved.map_or(0, NonZeroUsize::get) as u64;
            moved
        })
    })
}

/// pwrite(2).
#[inline(always)]
pub fn write_at(number: FileDescriptor, buffer: UserInput, count: usize, offset: u64) -> Result<Short, Errno> {
    short(number, count, SHORT_WRITE, |description| {
        let source = source(buffer);
        let is_file = description.seeking == Seeking::Bytes && !longest::may_be_limited();
        if is_file { description.node.write_short(offset, count, source) } else { None }
    })
}

/// recv(2) without flags, of a socket.
#[inline(always)]
pub fn receive(number: FileDescriptor, buffer: UserOutput, count: usize) -> Result<Short, Errno> {
    short(number, count, SHORT_READ, |description| {
        let is_socket = description.kind == Kind::Socket;
        if is_socket { description.node.read_short(0, count, sink(buffer)) } else { None }
    })
}

/// send(2) without flags, of a socket that `send` knows.
#[inline(always)]
pub fn send(number: FileDescriptor, count: usize, send: impl FnOnce(&Description) -> Moved) -> Result<Short, Errno> {
    short(number, count, SHORT_WRITE, |description| {
        let is_socket = description.kind == Kind::Socket;
        if is_socket { send(description) } else { None }
    })
}
