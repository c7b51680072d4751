//! lseek(2).

use linux_abi::{
    Errno, FileDescriptor,
    constants::{SEEK_CUR, SEEK_DATA, SEEK_END, SEEK_HOLE, SEEK_SET},
};
use vfs::{Kind, Seeking};

use crate::{Result, objects::files};

/// Moves the position. Where a file does not tell its holes everything counts as data, with a hole behind the end, as
/// lseek(2) allows.
pub fn lseek(descriptor: FileDescriptor, offset: i64, origin: u32) -> Result {
    let description = &files::usable(descriptor)?;
    let distance = offset;
    // Linux looks at it before it asks whether there are positions.
    if origin > SEEK_HOLE {
        return Err(Errno::EINVAL);
    }
    match description.seeking {
        Seeking::Stream => return Err(Errno::ESPIPE),
        Seeking::Anywhere | Seeking::Still => return Ok(0),
        Seeking::Bytes => {}
    }
    let size = || i64::try_from(description.node.metadata().size).map_err(|_| Errno::EOVERFLOW);
    let mut position = description.position.lock();
    let target = match origin {
        SEEK_SET => Some(distance),
        SEEK_CUR => (position.offset as i64).checked_add(distance),
        SEEK_END => size()?.checked_add(distance),
        whence @ (SEEK_DATA | SEEK_HOLE) => {
            let size = size()?;
            if !(0..size).contains(&distance) {
                return Err(Errno::ENXIO);
            }
            match description.node.next_part(distance as u64, whence == SEEK_HOLE) {
                None if whence == SEEK_DATA => return Err(Errno::ENXIO),
                found => Some(found.map_or(size, |found| found as i64)),
            }
        }
        _ => return Err(Errno::EINVAL),
    };
    let target = target.filter(|&target| target >= 0).ok_or(Errno::EINVAL)?;
    position.offset = target as u64;
    // A directory is read from its beginning again (rewinddir); any other place was told by getdents and is found
    // by counting.
    if description.kind == Kind::Directory {
        position.cursor = None;
    }
    Ok(target as usize)
}
