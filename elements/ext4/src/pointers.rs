//! Where blocks are, by pointers to them and to blocks of pointers, as ext2 and ext3 have it.

use vfs::FileError;

use crate::{field, run::Run, volume::Volume};

/// Blocks that are pointed to at once.
const DIRECT: u64 = 12;
/// Bytes of a pointer.
const POINTER: usize = 4;

/// Where block `block` is, by the pointers in an inode.
pub fn run(volume: &Volume, map: &[u8], block: u32) -> Result<Run, FileError> {
    let mut inside = u64::from(block);
    if inside < DIRECT {
        return Ok(among(&map[..DIRECT as usize * POINTER], inside));
    }
    inside -= DIRECT;
    let of_block = volume.superblock.block_size / POINTER as u64;
    let mut reach = 1;
    for level in 0..3 {
        reach *= of_block;
        if inside < reach {
            let pointer = field::u32(map, (DIRECT as usize + level) * POINTER);
            return below(volume, pointer, inside, reach);
        }
        inside -= reach;
    }
    Err(FileError::Failed)
}

/// Where the block at `inside` is, of the `reach` blocks that a block of pointers leads to.
fn below(volume: &Volume, mut pointer: u32, mut inside: u64, mut reach: u64) -> Result<Run, FileError> {
    let of_block = volume.superblock.block_size / POINTER as u64;
    loop {
        if pointer == 0 {
            return Ok(Run { start: None, count: reach - inside });
        }
        let pointers = volume.block(pointer.into())?;
        reach /= of_block;
        if reach == 1 {
            return Ok(among(&pointers, inside));
        }
        pointer = field::u32(&pointers, (inside / reach) as usize * POINTER);
        inside %= reach;
    }
}

/// The pointer at `inside`, and how many of those behind it go on in order.
fn among(pointers: &[u8], inside: u64) -> Run {
    let at = |index: u64| u64::from(field::u32(pointers, index as usize * POINTER));
    let first = at(inside);
    let all = (pointers.len() / POINTER) as u64;
    let follows = |&index: &u64| at(index) == if first == 0 { 0 } else { first + (index - inside) };
    let count = (inside..all).take_while(follows).count() as u64;
    Run { start: (first != 0).then_some(first), count: count.max(1) }
}
