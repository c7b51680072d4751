//! ioctl(2).

use linux_abi::{
    Errno, FileDescriptor, UserAddress,
    constants::{
        FIOASYNC, FIOCLEX, FIOGETOWN, FIONBIO, FIONCLEX, FIONREAD, FIOSETOWN, OpenFlags, SIOCGPGRP, SIOCSPGRP,
    },
};
use vfs::Kind;

use super::{block, fcntl, terminal::control};
use crate::{
    Result,
    objects::{ability, descriptors::Description, events::ownership, files, sockets, user},
};

/// Controls a device. What a kind of file does not know is ENOTTY.
pub fn ioctl(descriptor: FileDescriptor, request: u32, argument: UserAddress) -> Result {
    let description = &files::usable(descriptor)?;
    match request {
        FIOCLEX | FIONCLEX => {
            crate::objects::process::descriptors().set_close_on_exec(descriptor.0, request == FIOCLEX)?;
            Ok(0)
        }
        FIONBIO => set_flag(description, descriptor, OpenFlags::O_NONBLOCK, argument),
        FIOASYNC if ability::own_files() => {
            let is_other = (user::read_int(argument)? != 0) != description.flags().contains(OpenFlags::O_ASYNC);
            if is_other && !ownership::can_tell(description) {
                return Err(Errno::ENOTTY);
            }
            set_flag(description, descriptor, OpenFlags::O_ASYNC, argument)
        }
        FIOSETOWN | SIOCSPGRP if ability::own_files() && description.kind == Kind::Socket => {
            fcntl::set_owner(description, user::read_int(argument)? as i32)
        }
        FIOGETOWN | SIOCGPGRP if ability::own_files() && description.kind == Kind::Socket => {
            user::answer_int(argument, fcntl::owner(description).cast_unsigned())
        }
        FIONREAD => available(description, argument),
        // Where there are no disks, none of this is in the image.
        request if contracts::volumes::count() > 0 && description.kind == Kind::Block => {
            block::control(description, request, argument)
        }
        request if ability::sockets() && description.kind == Kind::Socket => {
            sockets::requests::answer(sockets::of(description)?, request, argument)
        }
        request => match description.node.terminal() {
            Some(terminal) => control(terminal, request, argument),
            None => Err(Errno::ENOTTY),
        },
    }
}

/// Sets a status flag where the number at `argument` is another than 0, and clears it where it is.
fn set_flag(description: &Description, descriptor: FileDescriptor, flag: OpenFlags, argument: UserAddress) -> Result {
    let wanted = user::read_int(argument)?;
    let flags = description.flags() - flag;
    let flags = if wanted != 0 { flags | flag } else { flags };
    if ability::own_files() {
        return fcntl::set_flags(description, descriptor, flags);
    }
    description.set_flags(flags);
    Ok(0)
}

/// Bytes that could be read without waiting.
fn available(description: &Description, address: UserAddress) -> Result {
    let count = match description.kind {
        Kind::Regular => {
            let offset = description.position.lock().offset;
            description.node.metadata().size.saturating_sub(offset)
        }
        Kind::Directory => return Err(Errno::ENOTTY),
        _ if description.is_seekable() => return Err(Errno::ENOTTY),
        _ => description.node.available() as u64,
    };
    user::answer_int(address, count.min(i32::MAX as u64) as u32)
}
