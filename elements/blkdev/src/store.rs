//! A disk as the backing of a page cache.

use alloc::{vec, vec::Vec};

use page_cache::Backing;
use vfs::FileError;

use crate::{Disks, Error, Geometry, Line, SECTOR};

/// The bytes of a disk, on its way to [`page_cache::Contents`]. Positions need not be those of sectors.
pub struct Store {
    geometry: Geometry,
    lines: Vec<Line>,
    /// Which queue the caller had best use: any number.
    pick: fn() -> usize,
}

impl From<Error> for FileError {
    fn from(error: Error) -> Self {
        match error {
            Error::Failed => Self::Failed,
            Error::ReadOnly => Self::ReadOnly,
            Error::NoSpace => Self::NoSpace,
            Error::Nowhere => Self::NoDevice,
        }
    }
}

impl Store {
    /// Disk `disk`. `pick` tells processors apart, so that each has a queue of its own where there are enough.
    pub fn new(disks: &'static dyn Disks, disk: usize, pick: fn() -> usize) -> Result<Self, FileError> {
        let geometry = disks.geometry(disk).ok_or(FileError::NoDevice)?;
        let lines = (0..geometry.queues.max(1)).map(|queue| Line::new(disks, disk, queue, geometry.parts)).collect();
        Ok(Self { geometry, lines, pick })
    }

    /// What the disk is like.
    #[must_use]
    pub const fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn line(&self) -> &Line {
        &self.lines[(self.pick)() % self.lines.len()]
    }

    /// Reads sectors around bytes that do not begin or end with one.
    fn read_inside(&self, offset: u64, bytes: &mut [u8]) -> Result<usize, FileError> {
        let inside = (offset % SECTOR as u64) as usize;
        let mut sectors = vec![0; (inside + bytes.len()).next_multiple_of(SECTOR)];
        self.line().read(offset / SECTOR as u64, &mut [&mut sectors])?;
        bytes.copy_from_slice(&sectors[inside..inside + bytes.len()]);
        Ok(bytes.len())
    }

    /// Writes bytes within one sector.
    fn write_inside(&self, offset: u64, bytes: &[u8]) -> Result<usize, FileError> {
        let inside = (offset % SECTOR as u64) as usize;
        let count = bytes.len().min(SECTOR - inside);
        let mut sector = vec![0; SECTOR];
        self.line().read(offset / SECTOR as u64, &mut [&mut sector])?;
        sector[inside..inside + count].copy_from_slice(&bytes[..count]);
        self.line().write(offset / SECTOR as u64, &sector)?;
        Ok(count)
    }
}

impl Backing for Store {
    fn read(&self, offset: u64, parts: &mut [&mut [u8]]) -> Result<usize, FileError> {
        let mut left = usize::try_from(self.geometry.bytes().saturating_sub(offset)).unwrap_or(usize::MAX);
        let mut wanted: Vec<&mut [u8]> = Vec::with_capacity(parts.len());
        for part in parts.iter_mut() {
            let count = part.len().min(left);
            left -= count;
            if count > 0 {
                wanted.push(&mut part[..count]);
            }
        }
        let total: usize = wanted.iter().map(|part| part.len()).sum();
        if total == 0 {
            return Ok(0);
        }
        let is_whole = |bytes: u64| bytes.is_multiple_of(SECTOR as u64);
        if is_whole(offset) && is_whole(total as u64) {
            self.line().read(offset / SECTOR as u64, &mut wanted)?;
            return Ok(total);
        }
        self.read_inside(offset, wanted[0])
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> Result<usize, FileError> {
        if self.geometry.read_only {
            return Err(FileError::ReadOnly);
        }
        let left = self.geometry.bytes().saturating_sub(offset);
        if left == 0 {
            return Err(FileError::NoSpace);
        }
        let bytes = &bytes[..bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
        let whole = bytes.len() - bytes.len() % SECTOR;
        if whole == 0 || !offset.is_multiple_of(SECTOR as u64) {
            return self.write_inside(offset, bytes);
        }
        self.line().write(offset / SECTOR as u64, &bytes[..whole])?;
        Ok(whole)
    }

    fn length(&self) -> Result<u64, FileError> {
        Ok(self.geometry.bytes())
    }

    fn set_length(&self, _length: u64) -> Result<(), FileError> {
        Err(FileError::Invalid)
    }

    fn sync(&self, _metadata: bool) -> Result<(), FileError> {
        if self.geometry.read_only { Ok(()) } else { Ok(self.line().flush()?) }
    }
}
