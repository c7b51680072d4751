//! getdents(2).

use alloc::vec::Vec;

use linux_abi::structures::DIRENT_NAME;
use vfs::Listed;

use crate::{
    Call, Result,
    directory::listing::{self, type_byte},
    files,
};

/// Directory entries as `struct linux_dirent`, whose type is the last byte.
pub fn getdents(call: &mut Call) -> Result {
    files::using(call, |call, description| listing::list(call, description, append))
}

fn append(listed: &Listed<'_>, next: u64, buffer: &mut Vec<u8>, room: usize) -> bool {
    let length = (DIRENT_NAME + listed.name.len() + 2).next_multiple_of(8);
    if buffer.len() + length > room {
        return false;
    }
    let end = buffer.len() + length;
    buffer.extend_from_slice(&listed.inode.to_ne_bytes());
    buffer.extend_from_slice(&next.to_ne_bytes());
    buffer.extend_from_slice(&(length as u16).to_ne_bytes());
    buffer.extend_from_slice(listed.name);
    buffer.resize(end - 1, 0);
    buffer.push(type_byte(listed.kind));
    true
}
