//! What a disk says about the file system on it.

use page_cache::{Backing, Contents};
use vfs::{SliceSink, Unmountable};

use crate::field;

/// The root directory's inode.
pub const ROOT: u32 = 2;

/// Where it begins on the disk, and its bytes.
const AT: u64 = 1024;
const BYTES: usize = 1024;
const MAGIC: u16 = 0xef53;

/// Features that a reader must know (`s_feature_incompat`), of which these are known: file types in directories,
/// extents, 64-bit numbers, protection against mounting twice, groups anywhere, large attributes and directories, and
/// the seed of checksums.
const KNOWN: u32 = 0x2 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x2000 | 0x4000;
const WIDE: u32 = 0x80;
const REFUSED: [(u32, &str); 8] = [
    (0x4, "it was not unmounted cleanly: let e2fsck -p mend it first"),
    (0x1, "its files are compressed, which is not known here"),
    (0x8, "it is the journal of another file system"),
    (0x10, "it has the feature meta_bg, which is not known here"),
    (0x1000, "it has data in directory entries, which is not known here"),
    (0x8000, "it has the feature inline_data, which is not known here"),
    (0x1_0000, "its files are encrypted, which is not known here"),
    (0x2_0000, "it has names without case, which are not known here"),
];

/// The superblock.
#[derive(Clone, Copy, Debug)]
pub struct Superblock {
    /// Bytes of a block: a power of two from 1024 to 65536.
    pub block_size: u64,
    pub blocks: u64,
    pub free: u64,
    pub inodes: u32,
    pub free_inodes: u32,
    pub inodes_of_group: u32,
    /// Bytes of an inode, and of a group's descriptor.
    pub inode_size: u64,
    pub descriptor_size: u64,
    /// Where the descriptors of groups begin, in bytes.
    pub descriptors: u64,
}

fn bytes(disk: &Contents) -> Option<[u8; BYTES]> {
    let mut bytes = [0; BYTES];
    (disk.read_at(AT, &mut SliceSink::new(&mut bytes)) == Ok(BYTES)).then_some(bytes)
}

pub fn has_magic(disk: &Contents) -> bool {
    bytes(disk).is_some_and(|bytes| field::u16(&bytes, 56) == MAGIC)
}

impl Superblock {
    /// Reads it from a disk, which `store` measures.
    pub fn read(disk: &Contents, store: &dyn Backing) -> Result<Self, Unmountable> {
        let bytes = bytes(disk).ok_or(Unmountable("it is too short for a file system"))?;
        let word = |at| field::u32(&bytes, at);
        let features = word(96);
        if field::u16(&bytes, 56) != MAGIC {
            return Err(Unmountable("it is no ext2, ext3 or ext4 file system"));
        }
        if let Some((_, words)) = REFUSED.iter().find(|(feature, _)| features & feature != 0) {
            return Err(Unmountable(words));
        }
        if features & !KNOWN != 0 {
            return Err(Unmountable("it has a feature that is not known here"));
        }
        let is_wide = features & WIDE != 0;
        let high = |at| if is_wide { word(at) } else { 0 };
        let has_sizes = word(76) > 0;
        let found = Self {
            block_size: 1024 << word(24).min(16),
            blocks: field::wide(word(4), high(336)),
            free: field::wide(word(12), high(344)),
            inodes: word(0),
            free_inodes: word(16),
            inodes_of_group: word(40),
            inode_size: if has_sizes { field::u16(&bytes, 88).into() } else { 128 },
            descriptor_size: if is_wide { field::u16(&bytes, 254).into() } else { 32 },
            descriptors: 0,
        };
        let descriptors = (u64::from(word(20)) + 1) * found.block_size;
        Self { descriptors, ..found }.checked(is_wide, store)
    }

    fn checked(self, is_wide: bool, store: &dyn Backing) -> Result<Self, Unmountable> {
        let sound = self.block_size <= 65536
            && self.inodes_of_group > 0
            && (128..=self.block_size).contains(&self.inode_size)
            && self.descriptor_size >= if is_wide { 64 } else { 32 }
            && self.descriptor_size <= self.block_size;
        let end = self.blocks.checked_mul(self.block_size).filter(|_| sound);
        let end = end.ok_or(Unmountable("its superblock is damaged"))?;
        let length = store.length().map_err(|_| Unmountable("it cannot be read"))?;
        if end > length { Err(Unmountable("it ends before the file system on it does")) } else { Ok(self) }
    }
}
