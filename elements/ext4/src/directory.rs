//! The entries of a directory, read once and kept in the order of their names.

use alloc::{sync::Arc, vec::Vec};

use vfs::{Cursor, FileError, Kind, Listed};

use crate::{field, inode::Inode, volume::Volume};

/// Bytes of an entry before its name.
const HEAD: usize = 8;
/// The longest directory that is read: more than a million entries.
const MOST_BYTES: u64 = 64 << 20;

/// What a directory holds.
#[derive(Debug, Default)]
pub struct Entries {
    /// In the order of names.
    entries: Vec<Entry>,
    names: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    inode: u32,
    /// Where the name is.
    at: u32,
    length: u8,
    /// What it is, as the directory says; 0 if it does not.
    kind: u8,
}

impl Entries {
    /// Reads a directory from its beginning to its end. What only speeds Linux' search up looks like entries that are
    /// not used.
    pub fn read(volume: &Arc<Volume>, inode: &Inode) -> Result<Self, FileError> {
        let size = volume.superblock.block_size;
        if inode.metadata.size > MOST_BYTES {
            return Err(FileError::Failed);
        }
        let mut found = Self::default();
        let (mut block, end) = (0, inode.metadata.size.div_ceil(size));
        while block < end {
            let run = inode.run(volume, block)?;
            let count = run.count.min(end - block);
            if let Some(start) = run.start {
                for number in start..start + count {
                    found.take(&volume.block(number)?, volume.superblock.inodes)?;
                }
            }
            block += count;
        }
        let mut entries = core::mem::take(&mut found.entries);
        entries.sort_by(|one, other| found.name(one).cmp(found.name(other)));
        found.entries = entries;
        Ok(found)
    }

    fn take(&mut self, block: &[u8], inodes: u32) -> Result<(), FileError> {
        let mut rest = block;
        while rest.len() >= HEAD {
            let length = match field::u16(rest, 4) {
                // Of the largest blocks, whose length is too long for the field.
                0 | 0xffff => 0x1_0000,
                length => usize::from(length),
            };
            let inode = field::u32(rest, 0);
            let (name, kind) = (usize::from(rest[6]), rest[7]);
            if length < HEAD || length > rest.len() || HEAD + name > length || inode > inodes {
                return Err(FileError::Failed);
            }
            let name = &rest[HEAD..HEAD + name];
            if inode != 0 && is_name(name) {
                let at = u32::try_from(self.names.len()).map_err(|_| FileError::Failed)?;
                self.names.extend_from_slice(name);
                self.entries.push(Entry { inode, at, length: name.len() as u8, kind });
            }
            rest = &rest[length..];
        }
        Ok(())
    }

    fn name(&self, entry: &Entry) -> &[u8] {
        let at = entry.at as usize;
        self.names.get(at..at + usize::from(entry.length)).unwrap_or_default()
    }

    /// The inode of that name.
    pub fn find(&self, name: &[u8]) -> Option<u32> {
        let at = self.entries.binary_search_by(|entry| self.name(entry).cmp(name)).ok()?;
        Some(self.entries[at].inode)
    }

    /// See [`vfs::Node::list`]; the cookie is how many entries have been shown. `kind` tells what an inode is, where
    /// the directory does not.
    pub fn list(
        &self,
        cursor: &mut Cursor,
        kind: &dyn Fn(u32) -> Result<Kind, FileError>,
        visit: &mut dyn FnMut(Listed<'_>) -> bool,
    ) -> Result<(), FileError> {
        let shown = usize::try_from(cursor.cookie).unwrap_or(usize::MAX);
        for entry in self.entries.iter().skip(shown) {
            let kind = kind_of(entry.kind).map_or_else(|| kind(entry.inode), Ok)?;
            if !visit(Listed { name: self.name(entry), inode: entry.inode.into(), kind }) {
                break;
            }
            cursor.cookie += 1;
        }
        Ok(())
    }
}

/// Whether it can be a name in a tree.
fn is_name(name: &[u8]) -> bool {
    !matches!(name, b"" | b"." | b"..") && !name.iter().any(|byte| matches!(byte, 0 | b'/'))
}

const fn kind_of(number: u8) -> Option<Kind> {
    Some(match number {
        1 => Kind::Regular,
        2 => Kind::Directory,
        3 => Kind::Character,
        4 => Kind::Block,
        5 => Kind::Pipe,
        6 => Kind::Socket,
        7 => Kind::Link,
        _ => return None,
    })
}

/// Reads entries when they are first wanted.
#[derive(Debug, Default)]
pub struct Lazily(sync::Mutex<Option<Arc<Entries>>>);

impl Lazily {
    /// The entries.
    pub fn get(&self, volume: &Arc<Volume>, inode: &Inode) -> Result<Arc<Entries>, FileError> {
        if let Some(known) = &*self.0.lock() {
            return Ok(known.clone());
        }
        // Not under the lock: it may take long, and two who read the same harm nobody.
        let read = Arc::new(Entries::read(volume, inode)?);
        *self.0.lock() = Some(read.clone());
        Ok(read)
    }
}
