//! sendfile(2).

use alloc::vec;

use kernel::task;
use linux_abi::{Errno, FileDescriptor, UserAddress};
use vfs::{Kind, SliceSink, SliceSource, Source};
use watches::{ACCESS, MODIFIED};

use super::advice;
use crate::{
    Result,
    objects::{
        descriptors::Description,
        errors,
        files::{self, FileSource, MOST},
        sockets, user,
    },
};

/// Bytes moved at a time.
const CHUNK: usize = 64 << 10;
/// Chunks between two looks at what else there is to do: a source that has no end fills a call with 2 GB.
const UNBROKEN: usize = 8;

/// Copies from a file with positions to anything, inside the kernel.
pub fn sendfile(output: FileDescriptor, input: FileDescriptor, offset: UserAddress, count: usize) -> Result {
    let output = files::usable(output)?;
    let input = files::usable(input)?;
    output.check_writable()?;
    input.check_readable()?;
    if !input.is_seekable() || input.kind == Kind::Directory {
        return Err(Errno::EINVAL);
    }
    let count = count.min(MOST);
    let start = self::offset(&input, offset)?;
    let moved = if sockets::is_stream(&output) {
        let mut source = FileSource::new(&*input.node, start, count);
        let written = output.write_from(&mut source);
        source.answer(written)?
    } else {
        transfer(&input, start, count, &mut |_, source| output.write_from(source))?
    };
    input.tell_moved(moved, ACCESS);
    output.tell_moved(moved, MODIFIED);
    set_offset(&input, offset, start + moved as u64)?;
    Ok(moved)
}

/// The offset at `pointer`, or for NULL the position of the file. EINVAL if negative.
#[inline(never)]
pub fn offset(description: &Description, pointer: UserAddress) -> core::result::Result<u64, Errno> {
    if pointer.is_null() { Ok(description.position.lock().offset) } else { advice::offset(user::read_struct(pointer)?) }
}

/// Writes what [`offset`] has read.
#[inline(never)]
pub fn set_offset(description: &Description, pointer: UserAddress, offset: u64) -> Result {
    if pointer.is_null() {
        description.position.lock().offset = offset;
        return Ok(0);
    }
    user::answer_word(pointer, offset as usize)
}

/// Takes from a source what stands so many bytes behind the start.
type Put<'a> = &'a mut dyn FnMut(u64, &mut SliceSource<'_>) -> Result;

/// Moves up to `count` bytes from `offset` of `input` to `put`; stops at the end, and once something has moved at what
/// would wait and at signals.
#[inline(never)]
pub fn transfer(input: &Description, offset: u64, count: usize, put: Put<'_>) -> Result {
    let mut buffer = vec![0; count.min(CHUNK)];
    let mut moved = 0;
    for chunk in 1.. {
        if moved == count || chunk % UNBROKEN == 0 && task::breathe() {
            break;
        }
        let part = (count - moved).min(CHUNK);
        let mut sink = SliceSink::new(&mut buffer[..part]);
        let read = errors::counted(input.node.read_at(offset.saturating_add(moved as u64), &mut sink))?;
        if read == 0 {
            break;
        }
        let mut source = SliceSource::new(&buffer[..read]);
        let written = put(moved as u64, &mut source);
        moved += read - source.left();
        match written {
            Ok(_) if source.left() == 0 => {}
            Err(error) if moved == 0 => return Err(files::broken_pipe(error)),
            _ => break,
        }
    }
    Ok(moved)
}
