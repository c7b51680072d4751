//! copy_file_range(2).

use linux_abi::Errno;
use vfs::{
    Kind,
    watch::{ACCESS, MODIFIED},
};

use super::sendfile::{offset, set_offset, transfer};
use crate::{
    Call, Result,
    objects::files::{self, MOST},
};

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
        match description.kind {
            Kind::Regular => {}
            Kind::Directory => return Err(Errno::EISDIR),
            _ => return Err(Errno::EINVAL),
        }
    }
    let from = offset(&input, call.argument(1))?;
    let to = offset(&output, call.argument(3))?;
    let count = call.argument(4).min(MOST);
    let overlap = from < to.saturating_add(count as u64) && to < from.saturating_add(count as u64);
    if vfs::same(&input.node, &output.node) && overlap {
        return Err(Errno::EINVAL);
    }
    let moved = transfer(&input, from, count, &mut |done, source| output.put_at(to.saturating_add(done), source))?;
    input.tell_moved(moved, ACCESS);
    output.tell_moved(moved, MODIFIED);
    set_offset(&input, call.argument(1), from + moved as u64)?;
    set_offset(&output, call.argument(3), to + moved as u64)?;
    Ok(moved)
}
