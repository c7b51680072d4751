//! splice(2).

use alloc::{sync::Arc, vec};

use linux_abi::{
    Errno, FileDescriptor, UserAddress,
    constants::{OpenFlags, SpliceFlags},
};
use vfs::{FileError, Kind, Readiness, SliceSink, SliceSource, pipe::PipeEnd};
use watches::{ACCESS, MODIFIED};

use super::sendfile::{offset, set_offset};
use crate::{
    Result,
    objects::{descriptors::Description, errors, files},
};

/// Most bytes moved by one call: a program goes on from there.
const MOST: usize = 64 << 10;

/// The pipe of an open file, if it is one's end.
pub fn pipe(description: &Description) -> Option<&PipeEnd> {
    description.node_as().ok()
}

/// EINVAL for flags that there are not.
pub fn check(flags: SpliceFlags) -> core::result::Result<(), Errno> {
    if SpliceFlags::NAMED.contains(flags) { Ok(()) } else { Err(Errno::EINVAL) }
}

/// Moves bytes between two open files of which one is a pipe.
pub fn splice(
    input: FileDescriptor,
    input_offset: UserAddress,
    output: FileDescriptor,
    output_offset: UserAddress,
    length: usize,
    flags: SpliceFlags,
) -> Result {
    let count = length.min(MOST);
    check(flags)?;
    if length == 0 {
        return Ok(0);
    }
    let input = files::usable(input)?;
    let output = files::usable(output)?;
    input.check_readable()?;
    output.check_writable()?;
    let (from, to) = (pipe(&input), pipe(&output));
    if from.is_none() && to.is_none() {
        return Err(Errno::EINVAL);
    }
    if let (Some(from), Some(to)) = (from, to)
        && Arc::ptr_eq(from.pipe(), to.pipe())
    {
        return Err(Errno::EINVAL);
    }
    for (place, end) in [(input_offset, &input), (output_offset, &output)] {
        if !place.is_null() && !end.is_seekable() {
            return Err(Errno::ESPIPE);
        }
    }
    if [&input, &output].iter().any(|end| end.kind == Kind::Directory) || output.flags().contains(OpenFlags::O_APPEND) {
        return Err(Errno::EINVAL);
    }
    let room = room(&output, !flags.contains(SpliceFlags::SPLICE_F_NONBLOCK))?;
    let mut buffer = vec![0; count.min(room)];
    let read = read(&input, input_offset, &mut buffer, !flags.contains(SpliceFlags::SPLICE_F_NONBLOCK))?;
    input.tell_moved(read, ACCESS);
    let written = write(&output, output_offset, &buffer[..read])?;
    output.tell_moved(written, MODIFIED);
    Ok(written)
}

/// Bytes that can be written without waiting: what has been read must not be lost.
pub fn room(output: &Description, waits: bool) -> Result {
    let Some(to) = pipe(output) else { return Ok(MOST) };
    let is_ready = |ready: Readiness| ready.intersects(Readiness::WRITABLE | Readiness::ERROR);
    output.until(waits && !output.is_nonblocking(), None, is_ready, &mut || match to.pipe().room() {
        0 if to.pipe().has_reader() => Err(FileError::WouldBlock),
        room => Ok(room.max(1)),
    })
}

fn read(input: &Description, place: UserAddress, buffer: &mut [u8], waits: bool) -> Result {
    let mut sink = SliceSink::new(buffer);
    if input.is_seekable() {
        let start = offset(input, place)?;
        let count = errors::counted(input.node.read_at(start, &mut sink))?;
        set_offset(input, place, start + count as u64)?;
        return Ok(count);
    }
    let waits = waits && !input.is_nonblocking();
    input.until(waits, None, Readiness::may_read, &mut || input.node.read_at(0, &mut sink))
}

fn write(output: &Description, place: UserAddress, bytes: &[u8]) -> Result {
    let mut source = SliceSource::new(bytes);
    if output.is_seekable() {
        let start = offset(output, place)?;
        let count = output.put_at(start, &mut source)?;
        set_offset(output, place, start + count as u64)?;
        return Ok(count);
    }
    let step = &mut |source: &mut dyn vfs::Source| output.node.write_at(0, source);
    output.write_whole(&mut source, true, None, step).map_err(files::broken_pipe)
}
