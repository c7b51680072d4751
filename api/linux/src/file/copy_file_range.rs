//! copy_file_range(2).

use alloc::sync::Arc;

use linux_abi::Errno;
use vfs::{Kind, SliceSink, SliceSource};

use crate::{
    Call, Result,
    files::{self, Description, MOST},
    user,
};

const CHUNK: usize = 64 << 10;

/// Copies between two regular files.
pub fn copy_file_range(call: &mut Call) -> Result {
    let input = files::usable(call.int(0))?;
    let output = files::usable(call.int(2))?;
    input.check_readable()?;
    output.check_writable()?;
    if call.argument(5) != 0 {
        return Err(Errno::EINVAL);
    }
    for description in [&input, &output] {
        match description.node.kind() {
            Kind::Regular => {}
            Kind::Directory => return Err(Errno::EISDIR),
            _ => return Err(Errno::EINVAL),
        }
    }
    let from = place(&input, call.argument(1))?;
    let to = place(&output, call.argument(3))?;
    let count = call.argument(4).min(MOST);
    let overlap = from < to.saturating_add(count as u64) && to < from.saturating_add(count as u64);
    if vfs::same(&input.node, &output.node) && overlap {
        return Err(Errno::EINVAL);
    }
    let moved = copy(&input, from, &output, to, count)?;
    advance(&input, call.argument(1), from + moved as u64)?;
    advance(&output, call.argument(3), to + moved as u64)?;
    Ok(moved)
}

fn place(description: &Arc<Description>, pointer: usize) -> core::result::Result<u64, Errno> {
    if pointer == 0 { Ok(description.position.lock().offset) } else { user::read_struct(pointer) }
}

fn advance(description: &Arc<Description>, pointer: usize, offset: u64) -> core::result::Result<(), Errno> {
    if pointer == 0 {
        description.position.lock().offset = offset;
        return Ok(());
    }
    user::write_struct(pointer, &offset)
}

fn copy(input: &Arc<Description>, from: u64, output: &Arc<Description>, to: u64, count: usize) -> Result {
    let mut buffer = alloc::vec![0; count.min(CHUNK)];
    let mut moved = 0;
    while moved < count {
        let part = (count - moved).min(CHUNK);
        let mut sink = SliceSink::new(&mut buffer[..part]);
        let read = input.node.read_at(from.saturating_add(moved as u64), &mut sink).map_err(files::errno)?;
        let mut source = SliceSource::new(&buffer[..read]);
        let written = output.node.write_at(to.saturating_add(moved as u64), &mut source);
        match written {
            Ok(0) => break,
            Ok(written) => moved += written,
            Err(_) if moved > 0 => break,
            Err(error) => return Err(files::errno(error)),
        }
    }
    Ok(moved)
}
