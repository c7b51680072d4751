//! Listing directories.

use alloc::{sync::Arc, vec::Vec};

use linux_abi::{
    Errno, FileDescriptor, UserAddress,
    structures::{DIRENT_NAME, DIRENT64_NAME},
};
use vfs::{Kind, Listed};
use watches::ACCESS;

use crate::{
    Result,
    objects::{descriptors::Description, errors, files, user},
};

/// getdents(2): directory entries as `struct linux_dirent`, whose type is the last byte.
pub fn getdents(descriptor: FileDescriptor, entries: UserAddress, count: u32) -> Result {
    let description = &files::usable(descriptor)?;
    list(description, entries, count, false)
}

/// getdents64(2): directory entries as `struct linux_dirent64`.
pub fn getdents64(descriptor: FileDescriptor, entries: UserAddress, count: u32) -> Result {
    let description = &files::usable(descriptor)?;
    list(description, entries, count, true)
}

/// Entries by position: 0 is `.`, 1 is `..`, all others follow in the directory's own order.
const OWN: u64 = 2;

/// Bytes that are set aside at the first entry: those of a small directory.
const FIRST: usize = 1024;

/// What a call has listed so far.
struct Listing {
    bytes: Vec<u8>,
    room: usize,
    is_64: bool,
    offset: u64,
    is_full: bool,
}

impl Listing {
    /// Adds an entry with the position behind it; `false` if it does not fit. The type byte is the type bits of
    /// `st_mode`, moved down; `struct linux_dirent64` has it before the name, `struct linux_dirent` as its last byte.
    #[inline(never)]
    fn add(&mut self, listed: &Listed<'_>) -> bool {
        let kind = (listed.kind.bits() >> 12) as u8;
        let (place, behind) = if self.is_64 { (DIRENT64_NAME, 1) } else { (DIRENT_NAME, 2) };
        let length = (place + behind + listed.name.len()).next_multiple_of(8);
        let end = self.bytes.len() + length;
        self.is_full = end > self.room;
        if self.is_full {
            return false;
        }
        self.offset += 1;
        if self.bytes.is_empty() {
            self.bytes.reserve(self.room.min(FIRST));
        }
        let begin = self.bytes.len();
        self.bytes.resize(end, 0);
        let entry = &mut self.bytes[begin..];
        entry[..8].copy_from_slice(&listed.inode.to_ne_bytes());
        entry[8..16].copy_from_slice(&self.offset.to_ne_bytes());
        entry[16..18].copy_from_slice(&(length as u16).to_ne_bytes());
        entry[place..][..listed.name.len()].copy_from_slice(listed.name);
        entry[if self.is_64 { place - 1 } else { length - 1 }] = kind;
        true
    }
}

/// Fills `count` bytes at `entries` with as many entries as fit. EINVAL if not even the first does.
#[inline(never)]
fn list(description: &Description, entries: UserAddress, count: u32, is_64: bool) -> Result {
    let node = description.node.counted();
    if node.kind() != Kind::Directory {
        return Err(Errno::ENOTDIR);
    }
    let mut position = description.position.lock();
    let room = count as usize;
    let mut listing = Listing { bytes: Vec::new(), room, is_64, offset: position.offset, is_full: false };
    while listing.offset < OWN && !listing.is_full {
        let (name, inode): (&[u8], u64) = if listing.offset == 0 {
            (b".", node.metadata().inode)
        } else {
            (b"..", fs::mounts().place(node).map_or_else(|| Arc::clone(node), |place| place.parent).metadata().inode)
        };
        listing.add(&Listed { name, inode, kind: Kind::Directory });
    }
    let mut cursor = position.cursor.take();
    if !listing.is_full {
        // Told a position by seekdir, the entries before it are counted.
        let mut skip = if cursor.is_none() { listing.offset - OWN } else { 0 };
        node.list(cursor.get_or_insert_default(), &mut |listed| {
            let counted = skip > 0;
            skip -= u64::from(counted);
            counted || listing.add(&listed)
        })
        .map_err(errors::errno)?;
    }
    if listing.bytes.is_empty() && listing.is_full {
        return Err(Errno::EINVAL);
    }
    user::copy_out(entries, &listing.bytes)?;
    position.offset = listing.offset;
    position.cursor = cursor;
    drop(position);
    description.tell(ACCESS);
    Ok(listing.bytes.len())
}
