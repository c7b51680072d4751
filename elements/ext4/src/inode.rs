//! What is known of a file.

use alloc::{sync::Arc, vec, vec::Vec};

use vfs::{FileError, Kind, Metadata, Owner, Time};

use crate::{extents, field, pointers, run::Run, superblock::Superblock, volume::Volume};

/// Bytes of the field that says where blocks are, or what a short link says.
pub const MAP: usize = 60;

const HAS_EXTENTS: u32 = 0x8_0000;
const COUNTS_BLOCKS: u32 = 0x4_0000;

/// An inode.
#[derive(Clone, Debug)]
pub struct Inode {
    pub metadata: Metadata,
    pub number: u32,
    has_extents: bool,
    pub map: [u8; MAP],
}

impl Inode {
    /// Reads it; [`FileError::Failed`] if it is none.
    pub fn parse(number: u32, bytes: &[u8], device: u64) -> Result<Self, FileError> {
        let (half, word) = (|at| field::u16(bytes, at), |at| field::u32(bytes, at));
        let mode = u32::from(half(0));
        let kind = kind_of(mode).ok_or(FileError::Failed)?;
        let map = *bytes.get(40..).and_then(<[u8]>::first_chunk).ok_or(FileError::Failed)?;
        let flags = word(32);
        let mut metadata = Metadata::new(kind, mode & 0o7777);
        metadata.device = device;
        metadata.inode = number.into();
        metadata.links = half(26).into();
        metadata.owner = Owner { user: both(half(2), half(120)), group: both(half(24), half(122)) };
        metadata.size = field::wide(word(4), word(108));
        let unit = if flags & COUNTS_BLOCKS != 0 { 4096 } else { 512 };
        metadata.occupied = field::wide(word(28), half(116).into()).saturating_mul(unit);
        // How much of the second half of an inode is in use.
        let extra = if bytes.len() > 128 { 128 + usize::from(half(128)) } else { 128 };
        let time = |at: usize, more: usize| moment(word(at), if more + 4 <= extra { word(more) } else { 0 });
        metadata.accessed = time(8, 140);
        metadata.changed = time(12, 132);
        metadata.modified = time(16, 136);
        if matches!(kind, Kind::Character | Kind::Block) {
            metadata.special = special(field::u32(&map, 0), field::u32(&map, 4));
            metadata.size = 0;
        }
        if i64::try_from(metadata.size).is_err() {
            return Err(FileError::Failed);
        }
        Ok(Self { metadata, number, has_extents: flags & HAS_EXTENTS != 0, map })
    }

    /// Where block `block` of the file is, and those behind it.
    pub fn run(&self, volume: &Volume, block: u64) -> Result<Run, FileError> {
        let block = u32::try_from(block).map_err(|_| FileError::Failed)?;
        if self.has_extents { extents::run(volume, &self.map, block) } else { pointers::run(volume, &self.map, block) }
    }

    /// What a symbolic link says.
    pub fn target(&self, volume: &Arc<Volume>) -> Result<Vec<u8>, FileError> {
        let length = usize::try_from(self.metadata.size).unwrap_or(usize::MAX);
        if length < MAP {
            return Ok(self.map[..length].to_vec());
        }
        let start = self.run(volume, 0)?.start.ok_or(FileError::Failed)?;
        let mut bytes = volume.block(start)?;
        if length > bytes.len() {
            return Err(FileError::Failed);
        }
        bytes.truncate(length);
        Ok(bytes)
    }
}

impl Volume {
    /// Reads an inode.
    pub fn inode(&self, number: u32) -> Result<Inode, FileError> {
        let Superblock { inodes, inodes_of_group, inode_size, descriptor_size, descriptors, .. } = self.superblock;
        if number == 0 || number > inodes {
            return Err(FileError::Failed);
        }
        let (group, index) = ((number - 1) / inodes_of_group, (number - 1) % inodes_of_group);
        let mut descriptor = vec![0; descriptor_size as usize];
        self.read(descriptors + u64::from(group) * descriptor_size, &mut descriptor)?;
        let high = if descriptor_size >= 64 { field::u32(&descriptor, 40) } else { 0 };
        let table = self.place(field::wide(field::u32(&descriptor, 8), high))?;
        let mut bytes = vec![0; inode_size as usize];
        self.read(table + u64::from(index) * inode_size, &mut bytes)?;
        Inode::parse(number, &bytes, self.world.device)
    }
}

const fn kind_of(mode: u32) -> Option<Kind> {
    Some(match mode & 0o170_000 {
        0o010_000 => Kind::Pipe,
        0o020_000 => Kind::Character,
        0o040_000 => Kind::Directory,
        0o060_000 => Kind::Block,
        0o100_000 => Kind::Regular,
        0o120_000 => Kind::Link,
        0o140_000 => Kind::Socket,
        _ => return None,
    })
}

fn both(low: u16, high: u16) -> u32 {
    u32::from(high) << 16 | u32::from(low)
}

/// Seconds with a sign, of which two more bits and the nanoseconds are elsewhere.
fn moment(seconds: u32, more: u32) -> Time {
    let seconds = i64::from(seconds as i32) + (i64::from(more & 3) << 32);
    seconds.saturating_mul(1_000_000_000).saturating_add((more >> 2).into())
}

/// A device's numbers, in the old form of 8 bits each or in the new one (`new_decode_dev` of Linux' kdev_t.h).
const fn special(old: u32, new: u32) -> (u32, u32) {
    if old != 0 { (old >> 8 & 0xff, old & 0xff) } else { (new >> 8 & 0xfff, new & 0xff | new >> 12 & 0xf_ff00) }
}
