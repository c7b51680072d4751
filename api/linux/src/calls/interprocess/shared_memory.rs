//! Shared memory by keys.

use alloc::sync::Arc;

use ipc::{Get, READ, WRITE};
use kernel::memory::{MapRequest, MemoryError, Placement, RegionKind};
use linux_abi::{
    Errno,
    constants::{IpcFlags, ShmFlags},
};
use machine::{PAGE_SIZE, Protection, page_align_down};

use crate::{
    Result,
    objects::{
        errors, files,
        interprocess::{SEGMENTS, as_caller, attachment::Attachment, errno, now},
    },
};

/// shmget(2): finds or makes shared memory.
///
/// Answers its number.
pub fn shmget(key: u32, size: usize, flags: IpcFlags) -> Result {
    let (key, size) = (key.cast_signed(), size as u64);
    as_caller(|caller| {
        {
            let segments = SEGMENTS.lock();
            if let Get::Found(number) = segments.get(key, size, flags.bits(), caller).map_err(errno)? {
                return Ok(number as usize);
            }
            segments.check(size).map_err(errno)?;
        }
        // What can never fit is refused, as Linux' default overcommit does.
        let hopeless =
            size > contracts::memory_report::memory_use().total as u64 && !flags.contains(IpcFlags::SHM_NORESERVE);
        if hopeless || flags.contains(IpcFlags::SHM_HUGETLB) {
            return Err(Errno::ENOMEM);
        }
        let contents = fs::memory_file(0o600).map_err(errors::errno)?;
        contents.set_length(size).map_err(|_| Errno::ENOMEM)?;
        let mut segments = SEGMENTS.lock();
        // Another thread may have been faster.
        let number = match segments.get(key, size, flags.bits(), caller).map_err(errno)? {
            Get::Found(number) => number,
            Get::New => segments.add(key, (size, flags.bits()), Arc::clone(&contents), caller, now()).map_err(errno)?,
        };
        Ok(number as usize)
    })
}

/// Bits of all digits of a mode that mean execution.
const EXECUTE: u32 = 0o111;

/// shmat(2): maps shared memory.
///
/// Answers the mapping's address.
pub fn shmat(segment: i32, address: usize, flags: ShmFlags) -> Result {
    let (address, placement) = place(address, flags)?;
    let (write, execute) = (!flags.contains(ShmFlags::SHM_RDONLY), flags.contains(ShmFlags::SHM_EXEC));
    let wanted = READ | if write { WRITE } else { 0 } | if execute { EXECUTE } else { 0 };
    let (attachment, contents, size) = hold(segment, wanted, write)?;
    let length = usize::try_from(size).map_err(|_| Errno::ENOMEM)?;
    let request = MapRequest {
        address,
        length,
        placement,
        protection: Protection { read: true, write, execute },
        source: files::source(&*contents, 0, true)?,
        kind: RegionKind::File,
        file: Some(attachment.reference()),
        offset: 0,
        reserve: false,
        grows_down: false,
    };
    let space = crate::space();
    let mapped = match placement {
        Placement::FixedNoReplace => space.map(&request).map_err(|error| match error {
            MemoryError::Exists => Errno::EINVAL,
            other => crate::objects::mappings::errno(other),
        })?,
        _ => crate::objects::mappings::place(&request)?,
    };
    attachment.attached();
    Ok(mapped)
}

/// Where it is to be mapped.
fn place(address: usize, flags: ShmFlags) -> core::result::Result<(usize, Placement), Errno> {
    let replaces = flags.contains(ShmFlags::SHM_REMAP);
    let address = if flags.contains(ShmFlags::SHM_RND) { page_align_down(address) } else { address };
    match (address, replaces) {
        (0, true) => Err(Errno::EINVAL),
        (0, false) => Ok((0, Placement::Anywhere)),
        _ if !address.is_multiple_of(PAGE_SIZE) => Err(Errno::EINVAL),
        (_, true) => Ok((address, Placement::Fixed)),
        (_, false) => Ok((address, Placement::FixedNoReplace)),
    }
}

type Held = (Arc<Attachment>, Arc<dyn vfs::Node>, u64);

/// Holds the segment, if the running process may.
fn hold(number: i32, wanted: u32, may_write: bool) -> core::result::Result<Held, Errno> {
    as_caller(|caller| {
        let mut segments = SEGMENTS.lock();
        let permission = segments.table.find(number).map_err(errno)?.permission;
        permission.check(caller, wanted).map_err(errno)?;
        let segment = segments.hold(number).map_err(errno)?;
        let (size, contents) = (segment.size, Arc::clone(&segment.contents));
        // Making it locks nothing, and whoever drops it does not hold the lock.
        drop(segments);
        Ok((Attachment::new(number, permission.key, size, may_write, Arc::clone(&contents)), contents, size))
    })
}

/// shmdt(2): takes shared memory out of the address space.
///
/// EINVAL where none is attached.
pub fn shmdt(address: usize) -> Result {
    if crate::space().detach(address) { Ok(0) } else { Err(Errno::EINVAL) }
}
