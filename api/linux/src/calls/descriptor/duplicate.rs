//! More descriptors of an open file.

use linux_abi::{Errno, FileDescriptor, constants::OpenFlags};

use crate::{
    Result,
    objects::{
        descriptors::table::{self, Descriptor},
        files,
        process::limits,
    },
};

/// dup(2): a second descriptor for an open file, the lowest free one.
pub fn dup(descriptor: FileDescriptor) -> Result {
    files::install(files::description(descriptor)?, false)
}

/// dup2(2): a second descriptor for an open file, of a given number.
pub fn dup2(old: FileDescriptor, new: FileDescriptor) -> Result {
    if old == new {
        files::description(old)?;
        return Ok(new.0 as usize);
    }
    duplicate(old, new, false)
}

/// dup3(2): as dup2, with flags; both descriptors must differ.
pub fn dup3(old: FileDescriptor, new: FileDescriptor, flags: OpenFlags) -> Result {
    if !OpenFlags::O_CLOEXEC.contains(flags) || old == new {
        return Err(Errno::EINVAL);
    }
    duplicate(old, new, flags.contains(OpenFlags::O_CLOEXEC))
}

/// Makes `new` mean what `old` means; what `new` was is closed.
pub fn duplicate(old: FileDescriptor, new: FileDescriptor, close_on_exec: bool) -> Result {
    let description = files::description(old)?;
    let number = table::named(new.0, limits::descriptors())?;
    let closed = crate::objects::process::descriptors().place(Descriptor { description, close_on_exec }, number);
    if let Some(closed) = closed {
        files::locking::closed(closed);
    }
    Ok(number)
}
