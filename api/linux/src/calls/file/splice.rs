//! splice(2).

use alloc::{sync::Arc, vec};

use linux_abi::{
    Errno,
    constants::{O_APPEND, SPLICE_F_GIFT, SPLICE_F_MORE, SPLICE_F_MOVE, SPLICE_F_NONBLOCK},
};
use vfs::{
    FileError, Kind, SliceSink, SliceSource,
    pipe::PipeEnd,
    watch::{ACCESS, MODIFIED},
};

use super::sendfile::{offset, set_offset};
use crate::{
    Call, Result,
    objects::{descriptors::Description, errors, files},
};

/// Most bytes moved by one call: a program goes on from there.
const MOST: usize = 64 << 10;

/// The pipe of an open file, if it is one's end.
pub fn pipe(description: &Description) -> Option<&PipeEnd> {
    description.node_as().ok()
}

/// EINVAL for flags that there are not.
pub fn check(flags: u32) -> core::result::Result<(), Errno> {
    let known = SPLICE_F_MOVE | SPLICE_F_NONBLOCK | SPLICE_F_MORE | SPLICE_F_GIFT;
    if flags & !known == 0 { Ok(()) } else { Err(Errno::EINVAL) }
}

/// Moves bytes between two open files of which one is a pipe.
pub fn splice(call: &mut Call) -> Result {
    let (count, flags) = (call.argument(4).min(MOST), call.unsigned(5));
    check(flags)?;
    if call.argument(4) == 0 {
        return Ok(0);
    }
    let input = files::usable(call.int(0))?;
    let output = files::usable(call.int(2))?;
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
    for (place, end) in [(call.argument(1), &input), (call.argument(3), &output)] {
        if place != 0 && !end.is_seekable() {
            return Err(Errno::ESPIPE);
        }
    }
    if [&input, &output].iter().any(|end| end.kind == Kind::Directory) || output.flags() & O_APPEND != 0 {
        return Err(Errno::EINVAL);
    }
    let room = room(&output, flags & SPLICE_F_NONBLOCK == 0)?;
    let mut buffer = vec![0; count.min(room)];
    let read = read(&input, call.argument(1), &mut buffer, flags & SPLICE_F_NONBLOCK == 0)?;
    input.tell_moved(read, ACCESS);
    let written = write(&output, call.argument(3), &buffer[..read])?;
    output.tell_moved(written, MODIFIED);
    Ok(written)
}

/// Bytes that can be written without waiting: what has been read must not be lost.
pub fn room(output: &Description, waits: bool) -> Result {
    let Some(to) = pipe(output) else { return Ok(MOST) };
    let is_ready = |ready: vfs::Readiness| ready.writable || ready.error;
    output.until(waits && !output.is_nonblocking(), None, is_ready, &mut || match to.pipe().room() {
        0 if to.pipe().has_reader() => Err(FileError::WouldBlock),
        room => Ok(room.max(1)),
    })
}

fn read(input: &Description, place: usize, buffer: &mut [u8], waits: bool) -> Result {
    let mut sink = SliceSink::new(buffer);
    if input.is_seekable() {
        let start = offset(input, place)?;
        let count = errors::counted(input.node.read_at(start, &mut sink))?;
        set_offset(input, place, start + count as u64)?;
        return Ok(count);
    }
    let waits = waits && !input.is_nonblocking();
    input.until(waits, None, |ready| ready.readable || ready.hangup, &mut || input.node.read_at(0, &mut sink))
}

fn write(output: &Description, place: usize, bytes: &[u8]) -> Result {
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
