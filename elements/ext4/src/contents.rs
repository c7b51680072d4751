//! What is in files, on its way into their page caches.

use alloc::{sync::Arc, vec::Vec};

use page_cache::Backing;
use vfs::FileError;

use crate::{inode::Inode, volume::Volume};

/// The bytes of a file.
pub struct Bytes {
    pub volume: Arc<Volume>,
    pub inode: Inode,
}

impl Bytes {
    /// Reads one stretch of blocks that follow one another, at most `most` bytes from `offset` on.
    fn read_run(&self, offset: u64, parts: &mut [&mut [u8]], most: u64) -> Result<u64, FileError> {
        let size = self.volume.superblock.block_size;
        let run = self.inode.run(&self.volume, offset / size)?;
        let inside = offset % size;
        let count = run.count.saturating_mul(size).saturating_sub(inside).min(most);
        let mut places = first(parts, count);
        match run.start {
            None => places.into_iter().for_each(|place| place.fill(0)),
            Some(start) => {
                let last = start.checked_add((inside + count - 1) / size).ok_or(FileError::Failed)?;
                self.volume.place(last)?;
                let mut at = self.volume.place(start)? + inside;
                while !places.is_empty() {
                    let done = self.volume.world.store.read(at, &mut places)?;
                    if done == 0 {
                        return Err(FileError::Failed);
                    }
                    at += done as u64;
                    skip(&mut places, done);
                }
            }
        }
        Ok(count)
    }
}

/// The first `count` bytes of `parts`.
fn first<'a>(parts: &'a mut [&mut [u8]], count: u64) -> Vec<&'a mut [u8]> {
    let mut left = usize::try_from(count).unwrap_or(usize::MAX);
    let cut = parts.iter_mut().map(|part| {
        let length = part.len().min(left);
        left -= length;
        &mut part[..length]
    });
    cut.filter(|part| !part.is_empty()).collect()
}

/// Leaves out the first `count` bytes.
fn skip(parts: &mut Vec<&mut [u8]>, mut count: usize) {
    while count > 0 && !parts.is_empty() {
        let length = parts[0].len().min(count);
        count -= length;
        let rest = core::mem::take(&mut parts[0]);
        parts[0] = &mut rest[length..];
        if parts[0].is_empty() {
            parts.remove(0);
        }
    }
}

impl Backing for Bytes {
    fn read(&self, offset: u64, parts: &mut [&mut [u8]]) -> Result<usize, FileError> {
        let room: u64 = parts.iter().map(|part| part.len() as u64).sum();
        let wanted = self.inode.metadata.size.saturating_sub(offset).min(room);
        let mut places = first(parts, wanted);
        let mut done = 0;
        while done < wanted {
            let count = self.read_run(offset + done, &mut places, wanted - done)?;
            skip(&mut places, count as usize);
            done += count;
        }
        Ok(done as usize)
    }

    fn write(&self, _offset: u64, _bytes: &[u8]) -> Result<usize, FileError> {
        Err(FileError::ReadOnly)
    }

    fn length(&self) -> Result<u64, FileError> {
        Ok(self.inode.metadata.size)
    }

    fn set_length(&self, _length: u64) -> Result<(), FileError> {
        Err(FileError::ReadOnly)
    }

    fn sync(&self, _metadata: bool) -> Result<(), FileError> {
        Ok(())
    }
}
