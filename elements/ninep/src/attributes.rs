//! What a server tells about a file (Rgetattr).

use page_cache::Stamp;
use vfs::{FileError, Kind, Metadata, Owner, Time};

use crate::reply::{Qid, Reader};

/// What is known about a file.
#[derive(Clone, Copy, Debug)]
pub struct Attributes {
    pub qid: Qid,
    /// Without the number of the file system.
    pub metadata: Metadata,
}

impl Attributes {
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, FileError> {
        let _valid = reader.number64()?;
        let qid = reader.qid()?;
        let mode = reader.number32()?;
        let mut metadata = Metadata::new(kind(mode)?, mode & 0o7777);
        metadata.inode = qid.path;
        metadata.owner = Owner { user: reader.number32()?, group: reader.number32()? };
        metadata.links = u32::try_from(reader.number64()?).unwrap_or(u32::MAX);
        metadata.special = device(reader.number64()?);
        // Positions are signed in every interface above.
        metadata.size = reader.number64()?.min(i64::MAX as u64);
        let _block_size = reader.number64()?;
        metadata.occupied = reader.number64()?.saturating_mul(512);
        metadata.accessed = time(reader)?;
        metadata.modified = time(reader)?;
        metadata.changed = time(reader)?;
        Ok(Self { qid, metadata })
    }

    /// What tells this state of the contents from others.
    pub fn stamp(&self) -> Stamp {
        let Metadata { size, modified, .. } = self.metadata;
        Stamp { length: size, modified, version: self.qid.version.into() }
    }
}

fn time(reader: &mut Reader<'_>) -> Result<Time, FileError> {
    let (seconds, nanoseconds) = (reader.number64()? as i64, reader.number64()? as i64);
    Ok(seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds))
}

fn kind(mode: u32) -> Result<Kind, FileError> {
    const KINDS: [Kind; 7] =
        [Kind::Regular, Kind::Directory, Kind::Link, Kind::Character, Kind::Block, Kind::Pipe, Kind::Socket];
    KINDS.into_iter().find(|kind| kind.bits() == mode & 0o170_000).ok_or(FileError::Failed)
}

/// Major and minor number, as glibc's makedev(3) packs them.
const fn device(number: u64) -> (u32, u32) {
    let major = number >> 8 & 0xfff | number >> 32 & 0xffff_f000;
    let minor = number & 0xff | number >> 12 & 0xffff_ff00;
    (major as u32, minor as u32)
}
