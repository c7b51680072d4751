//! The scattered memory of readv(2) and writev(2).

use linux_abi::{Errno, UserAddress, UserInput, UserOutput, constants::IOV_MAX, structures::IoVector};
use machine::PAGE_SIZE;
use smallvec::{SmallVec, smallvec};
use vfs::{Kind, Readiness};
use zerocopy::{FromZeros, IntoBytes};

use super::{Scattered, UserSink, UserSource};
use crate::{
    Result,
    objects::{ability, descriptors::Description, user},
};

/// Most bytes one call moves (MAX_RW_COUNT of Linux).
pub const MOST: usize = 0x7fff_f000;

/// Pieces of application memory: a few, as nearly all calls have them, need no memory of their own.
pub type IoVectors = SmallVec<[IoVector; 4]>;

/// What readv(2) is told of: where vectors (`struct iovec`) stand, and how many.
pub type Vectors = (UserAddress, usize);

/// The pieces of application memory that the vectors name. EINVAL for too many of them.
#[inline(always)]
pub fn pieces((vectors, count): Vectors) -> core::result::Result<IoVectors, Errno> {
    if count > IOV_MAX as usize {
        return Err(Errno::EINVAL);
    }
    let mut pieces: IoVectors = smallvec![IoVector::new_zeroed(); count];
    user::copy_in(pieces.as_mut_slice().as_mut_bytes(), vectors)?;
    let mut room = MOST as u64;
    let end = contracts::translations::user_range().end as u64;
    for piece in &mut pieces {
        if piece.iov_len > isize::MAX as u64 {
            return Err(Errno::EINVAL);
        }
        if piece.iov_base.checked_add(piece.iov_len).is_none_or(|behind| behind > end) {
            return Err(Errno::EFAULT);
        }
        piece.iov_len = piece.iov_len.min(room);
        room -= piece.iov_len;
    }
    Ok(pieces)
}

/// Does `step` for each piece until one moves less than it could; the bytes moved in all. What was moved counts more
/// than an error behind it.
fn each(pieces: &[IoVector], step: &mut dyn FnMut(usize, usize, u64) -> Result) -> Result {
    let mut total = 0;
    for piece in pieces {
        let length = piece.iov_len as usize;
        if length == 0 {
            continue;
        }
        match step(piece.iov_base as usize, length, total as u64) {
            Ok(count) => {
                total += count;
                if count < length {
                    break;
                }
            }
            Err(_) if total > 0 => break,
            Err(error) => return Err(error),
        }
    }
    Ok(total)
}

/// Does `step` with all pieces at once: a socket's message is one, in however many pieces.
fn whole(pieces: IoVectors, step: &mut dyn FnMut(&mut Scattered) -> Result) -> Result {
    let mut pieces = Scattered::new(pieces);
    let count = step(&mut pieces)?;
    pieces.answer(count)
}

/// readv(2), or preadv(2) at `offset`. A stream is waited for once: what comes later belongs to the next call.
#[inline(never)]
pub fn fill(vectors: Vectors, description: &Description, offset: Option<u64>) -> Result {
    check_offset(description, offset)?;
    fill_pieces(pieces(vectors)?, description, offset)
}

/// As [`fill`], of these pieces.
#[inline(never)]
pub fn fill_pieces(pieces: IoVectors, description: &Description, offset: Option<u64>) -> Result {
    description.check_readable()?;
    if ability::sockets() && description.kind == Kind::Socket && offset.is_none() {
        return whole(pieces, &mut |pieces| {
            let (waits, deadline) = description.patience(false);
            description.until(waits, deadline, Readiness::may_read, &mut || description.node.read_at(0, pieces))
        });
    }
    each(&pieces, &mut |address, length, done| {
        let mut sink = UserSink::new(UserOutput(address), length);
        match offset {
            Some(offset) => description.read_at(&mut sink, offset.saturating_add(done)),
            None if done > 0
                && !description.is_seekable()
                && !description.node.readiness().contains(Readiness::READABLE) =>
            {
                Ok(0)
            }
            None => description.read(&mut sink),
        }
    })
}

/// writev(2), or pwritev(2) at `offset`.
#[inline(never)]
pub fn drain(vectors: Vectors, description: &Description, offset: Option<u64>) -> Result {
    check_offset(description, offset)?;
    drain_pieces(pieces(vectors)?, description, offset)
}

/// As [`drain`], of a pipe that has `room` for so many bytes: what fits, a page of memory in a page of the pipe, as if
/// pages were lent (vmsplice(2)).
pub fn drain_fitting(vectors: Vectors, description: &Description, room: usize) -> Result {
    let mut pieces = pieces(vectors)?;
    let mut free = room.div_ceil(PAGE_SIZE);
    for piece in &mut pieces {
        let inside = piece.iov_base as usize % PAGE_SIZE;
        let most = (free * PAGE_SIZE).saturating_sub(inside);
        piece.iov_len = piece.iov_len.min(most as u64);
        free -= (inside + piece.iov_len as usize).div_ceil(PAGE_SIZE).min(free);
    }
    drain_pieces(pieces, description, None)
}

fn check_offset(description: &Description, offset: Option<u64>) -> core::result::Result<(), Errno> {
    if offset.is_some() { description.check_positions() } else { Ok(()) }
}

/// As [`drain`], of these pieces.
pub fn drain_pieces(pieces: IoVectors, description: &Description, offset: Option<u64>) -> Result {
    description.check_writable()?;
    if ability::sockets() && description.kind == Kind::Socket && offset.is_none() {
        return whole(pieces, &mut |pieces| description.write_signalling(pieces));
    }
    each(&pieces, &mut |address, length, done| {
        let mut source = UserSource::new(UserInput(address), length);
        match offset {
            Some(offset) => description.write_at(&mut source, offset.saturating_add(done)),
            None => description.write(&mut source),
        }
    })
}
