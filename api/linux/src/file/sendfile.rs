//! sendfile(2).

use alloc::{sync::Arc, vec};

use linux_abi::Errno;
use vfs::{SliceSink, SliceSource, Source};

use crate::{
    Call, Result,
    files::{self, Description, MOST},
    user,
};

/// Bytes moved at a time.
const CHUNK: usize = 64 << 10;

/// Copies from a file with positions to anything, inside the kernel.
pub fn sendfile(call: &mut Call) -> Result {
    let output = files::usable(call.int(0))?;
    let input = files::usable(call.int(1))?;
    output.check_writable()?;
    input.check_readable()?;
    if !input.is_seekable() {
        return Err(Errno::EINVAL);
    }
    let count = call.argument(3).min(MOST);
    let place = call.argument(2);
    if place == 0 {
        let start = input.position.lock().offset;
        let moved = transfer(&input, start, &output, count)?;
        input.position.lock().offset = start + moved as u64;
        return Ok(moved);
    }
    let start: u64 = user::read_struct(place)?;
    let moved = transfer(&input, start, &output, count)?;
    user::write_struct(place, &(start + moved as u64))?;
    Ok(moved)
}

/// Moves up to `count` bytes from `offset` of `input` to `output`; stops at the end, and at what would wait once
/// something has moved.
pub fn transfer(input: &Arc<Description>, offset: u64, output: &Arc<Description>, count: usize) -> Result {
    let mut buffer = vec![0; count.min(CHUNK)];
    let mut moved = 0;
    while moved < count {
        let part = (count - moved).min(CHUNK);
        let mut sink = SliceSink::new(&mut buffer[..part]);
        let read = input.node.read_at(offset.saturating_add(moved as u64), &mut sink).map_err(files::errno)?;
        if read == 0 {
            break;
        }
        let mut source = SliceSource::new(&buffer[..read]);
        let written = output.write_from(&mut source);
        moved += read - source.left();
        match written {
            Ok(_) if source.left() == 0 => {}
            Err(error) if moved == 0 => return Err(files::broken_pipe(error)),
            _ => break,
        }
    }
    Ok(moved)
}
