//! copy_file_range(2).

use linux_abi::{Errno, FileDescriptor, UserAddress};
use vfs::Kind;
use watches::{ACCESS, MODIFIED};

use super::sendfile::{offset, set_offset, transfer};
use crate::{
    Result,
    objects::files::{self, MOST},
};

/// Copies between two regular files.
pub fn copy_file_range(
    input: FileDescriptor,
    input_offset: UserAddress,
    output: FileDescriptor,
    output_offset: UserAddress,
    length: usize,
    flags: usize,
) -> Result {
    let input = files::usable(input)?;
    let output = files::usable(output)?;
    input.check_readable()?;
    output.check_writable()?;
    if flags != 0 {
        return Err(Errno::EINVAL);
    }
    for description in [&input, &output] {
        match description.kind {
            Kind::Regular => {}
            Kind::Directory => return Err(Errno::EISDIR),
            _ => return Err(Errno::EINVAL),
        }
    }
    let from = offset(&input, input_offset)?;
    let to = offset(&output, output_offset)?;
    let count = length.min(MOST);
    let overlap = from < to.saturating_add(count as u64) && to < from.saturating_add(count as u64);
    if vfs::same(input.node.counted(), output.node.counted()) && overlap {
        return Err(Errno::EINVAL);
    }
    let moved = transfer(&input, from, count, &mut |done, source| output.put_at(to.saturating_add(done), source))?;
    input.tell_moved(moved, ACCESS);
    output.tell_moved(moved, MODIFIED);
    set_offset(&input, input_offset, from + moved as u64)?;
    set_offset(&output, output_offset, to + moved as u64)?;
    Ok(moved)
}
