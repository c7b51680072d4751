//! Listing a directory: read as a whole, and shown in the order of names.

use alloc::{sync::Arc, vec, vec::Vec};

use vfs::{FileError, Kind, Listed, NAME_LENGTH};

use crate::{item::Item, reply::Reader, requests::Mode};

/// Bytes of entries that are asked for at once.
const PIECE: usize = 64 << 10;
/// More entries than this are not believed.
const MOST: usize = 1 << 22;

struct Entry {
    name: Vec<u8>,
    inode: u64,
    kind: Kind,
}

/// A directory's entries at one time, by name.
pub struct Listing {
    entries: Vec<Entry>,
}

/// What readdir(3) calls the kinds.
const fn kind(number: u8) -> Kind {
    match number {
        1 => Kind::Pipe,
        2 => Kind::Character,
        4 => Kind::Directory,
        6 => Kind::Block,
        10 => Kind::Link,
        12 => Kind::Socket,
        _ => Kind::Regular,
    }
}

impl Listing {
    /// Takes entries in; the offset at which the next piece begins.
    fn add(&mut self, reader: &mut Reader<'_>) -> Result<u64, FileError> {
        let mut next = 0;
        while !reader.is_empty() {
            let inode = reader.qid()?.path;
            next = reader.number64()?;
            let kind = kind(reader.number8()?);
            let name = reader.string()?;
            let usable = !matches!(name, b"" | b"." | b"..") && name.len() <= NAME_LENGTH;
            if usable && !name.iter().any(|byte| matches!(byte, 0 | b'/')) {
                self.entries.push(Entry { name: name.to_vec(), inode, kind });
            }
        }
        Ok(next)
    }
}

impl Item {
    fn read_entries(&self) -> Result<Arc<Listing>, FileError> {
        let client = &self.share.client;
        let fid = client.walk(&self.fid(), None)?;
        client.open(&fid, Mode::Read)?;
        let mut listing = Listing { entries: Vec::new() };
        let (mut buffer, mut offset) = (vec![0; PIECE], 0);
        loop {
            let mut reader = client.read_directory(&fid, offset, &mut buffer)?;
            if reader.is_empty() {
                break;
            }
            let next = listing.add(&mut reader)?;
            if next == offset || listing.entries.len() > MOST {
                return Err(FileError::Failed);
            }
            offset = next;
        }
        listing.entries.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        Ok(Arc::new(listing))
    }

    /// As [`vfs::Node::list`]. A listing that goes on shows the directory as it was when it began.
    pub fn list(&self, after: Option<&[u8]>, visit: &mut dyn FnMut(Listed<'_>) -> bool) -> Result<(), FileError> {
        let directory = self.directory()?;
        if self.is_removed() {
            return Ok(());
        }
        let kept = after.and_then(|_| directory.listing.lock().clone());
        let listing = kept.map_or_else(|| self.read_entries(), Ok)?;
        let first = after.map_or(0, |after| listing.entries.partition_point(|entry| *entry.name <= *after));
        for Entry { name, inode, kind } in &listing.entries[first..] {
            if !visit(Listed { name, inode: *inode, kind: *kind }) {
                break;
            }
        }
        // Whoever asks once more and is shown nothing has seen all.
        let over = first == listing.entries.len();
        let old = core::mem::replace(&mut *directory.listing.lock(), if over { None } else { Some(listing) });
        drop(old);
        Ok(())
    }
}
