//! Options of sockets.

use linux_abi::{Errno, FileDescriptor, UserAddress};

use crate::{
    Result,
    objects::{
        files,
        sockets::{self, Value},
        user,
    },
};

/// getsockopt(2): what an option is set to, as far as the program has room for it.
pub fn getsockopt(
    descriptor: FileDescriptor,
    level: u32,
    option: u32,
    value: UserAddress,
    size: UserAddress,
) -> Result {
    let description = &files::usable(descriptor)?;
    let socket = sockets::of(description)?;
    let room = user::read_int(size)?;
    if room > i32::MAX as usize {
        return Err(Errno::EINVAL);
    }
    let bytes = socket.option(level, option)?;
    let length = bytes.len().min(room);
    user::copy_out(value, &bytes[..length])?;
    user::answer_int(size, length as u32)
}

/// setsockopt(2): sets an option.
pub fn setsockopt(descriptor: FileDescriptor, level: u32, option: u32, value: UserAddress, size: i32) -> Result {
    let description = &files::usable(descriptor)?;
    let socket = sockets::of(description)?;
    let size = usize::try_from(size).map_err(|_| Errno::EINVAL)?;
    socket.set_option(level, option, &Value::new(value, size))?;
    Ok(0)
}
