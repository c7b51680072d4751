//! Where blocks are, by a tree of extents.

use alloc::{borrow::Cow, vec::Vec};

use vfs::FileError;

use crate::{field, run::Run, volume::Volume};

const MAGIC: u16 = 0xf30a;
/// Bytes of a node's head, and of each of its entries.
const ENTRY: usize = 12;
/// Greatest height of a tree.
const HEIGHT: u16 = 5;
/// An extent that is longer has been set aside but not written, and is shorter by so much.
const WRITTEN: u16 = 0x8000;

/// Where block `block` is, in the tree whose root is `root`.
pub fn run(volume: &Volume, root: &[u8], block: u32) -> Result<Run, FileError> {
    let mut node = Cow::Borrowed(root);
    let mut height = HEIGHT + 1;
    // Behind all that this way leads to.
    let mut end = 1 << 32;
    loop {
        let (entries, depth) = entries(&node)?;
        if depth >= height {
            return Err(FileError::Failed);
        }
        height = depth;
        let next = entries.partition_point(|entry| field::u32(entry, 0) <= block);
        end = entries.get(next).map_or(end, |entry| end.min(field::u32(entry, 0).into()));
        let Some(entry) = next.checked_sub(1).and_then(|at| entries.get(at)) else {
            return hole(block, end);
        };
        if depth == 0 {
            return leaf(entry, block, end);
        }
        let below = field::wide(field::u32(entry, 4), field::u16(entry, 8).into());
        node = Cow::Owned(volume.block(below)?);
    }
}

/// A node's entries, in the order of the blocks that they are about, and its height.
fn entries(node: &[u8]) -> Result<(Vec<&[u8]>, u16), FileError> {
    let count = usize::from(field::u16(node, 2));
    let bytes = node.get(ENTRY..ENTRY + count * ENTRY).filter(|_| field::u16(node, 0) == MAGIC);
    let entries: Vec<&[u8]> = bytes.ok_or(FileError::Failed)?.chunks_exact(ENTRY).collect();
    Ok((entries, field::u16(node, 6)))
}

fn leaf(entry: &[u8], block: u32, end: u64) -> Result<Run, FileError> {
    let (first, length) = (field::u32(entry, 0), field::u16(entry, 4));
    let is_written = length <= WRITTEN;
    let length = if is_written { length } else { length - WRITTEN };
    let inside = u64::from(block.checked_sub(first).ok_or(FileError::Failed)?);
    if inside >= length.into() {
        return hole(block, end);
    }
    let start = field::wide(field::u32(entry, 8), field::u16(entry, 6).into());
    Ok(Run { start: is_written.then_some(start + inside), count: u64::from(length) - inside })
}

fn hole(block: u32, end: u64) -> Result<Run, FileError> {
    let count = end.saturating_sub(block.into());
    if count == 0 { Err(FileError::Failed) } else { Ok(Run { start: None, count }) }
}
