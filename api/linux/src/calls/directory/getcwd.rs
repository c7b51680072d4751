//! getcwd(2).

use alloc::vec::Vec;

use linux_abi::{Errno, constants::PATH_MAX};

use crate::{Call, Result, objects::user};

/// The working directory's path with its NUL; answers the length.
pub fn getcwd(call: &mut Call) -> Result {
    let location = crate::objects::process::location().clone();
    let mut path: Vec<u8> = fs::mounts().path_of(&location.directory, &location.root).ok_or(Errno::ENOENT)?;
    path.push(0);
    if path.len() > PATH_MAX as usize {
        return Err(Errno::ENAMETOOLONG);
    }
    if path.len() > call.argument(1) {
        return Err(Errno::ERANGE);
    }
    user::copy_out(call.argument(0), &path)?;
    Ok(path.len())
}
