//! ioctl(2) of block devices (linux/fs.h).

use linux_abi::{
    Errno, UserAddress,
    constants::{BLKBSZGET, BLKFLSBUF, BLKGETSIZE, BLKGETSIZE64, BLKPBSZGET, BLKROGET, BLKSSZGET},
};

use crate::{
    Result,
    objects::{descriptors::Description, files, user},
};

/// Bytes of a sector.
const SECTOR: u64 = 512;
/// Bytes that are kept together.
const BLOCK: u64 = 4096;

/// Tells about a disk, or brings what was written to it.
pub fn control(description: &Description, request: u32, argument: UserAddress) -> Result {
    let metadata = description.node.metadata();
    match request {
        BLKGETSIZE64 => user::write_struct(argument, &metadata.size)?,
        BLKGETSIZE => user::write_struct(argument, &(metadata.size / SECTOR))?,
        BLKBSZGET => user::write_struct(argument, &BLOCK)?,
        BLKSSZGET | BLKPBSZGET => return user::answer_int(argument, SECTOR as u32),
        BLKROGET => return user::answer_int(argument, u32::from(metadata.mode & 0o222 == 0)),
        BLKFLSBUF => return files::done(description.node.sync(true)),
        _ => return Err(Errno::ENOTTY),
    }
    Ok(0)
}
