//! More descriptors of an open file.

use linux_abi::{Errno, constants::O_CLOEXEC};

use crate::{
    Call, Result,
    objects::{descriptors::table::Descriptor, files, process::limits},
};

/// dup(2): a second descriptor for an open file, the lowest free one.
pub fn dup(call: &mut Call) -> Result {
    files::install(files::description(call.int(0))?, false)
}

/// dup2(2): a second descriptor for an open file, of a given number.
pub fn dup2(call: &mut Call) -> Result {
    let (old, new) = (call.int(0), call.int(1));
    if old == new {
        files::description(old)?;
        return Ok(new as usize);
    }
    duplicate(old, new, false)
}

/// dup3(2): as dup2, with flags; both descriptors must differ.
pub fn dup3(call: &mut Call) -> Result {
    let (old, new, flags) = (call.int(0), call.int(1), call.unsigned(2));
    if flags & !O_CLOEXEC != 0 || old == new {
        return Err(Errno::EINVAL);
    }
    duplicate(old, new, flags & O_CLOEXEC != 0)
}

/// Makes `new` mean what `old` means; what `new` was is closed.
pub fn duplicate(old: i32, new: i32, close_on_exec: bool) -> Result {
    let description = files::description(old)?;
    let number = usize::try_from(new).ok().filter(|&number| number < limits::descriptors()).ok_or(Errno::EBADF)?;
    let closed = crate::objects::process::descriptors().place(Descriptor { description, close_on_exec }, number);
    if let Some(closed) = closed {
        files::locking::closed(closed);
    }
    Ok(number)
}
