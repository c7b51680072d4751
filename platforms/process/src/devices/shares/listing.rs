//! What a directory of a share holds, in the host's order.

use vfs::{Cursor, FileError, Kind, Listed};

use super::{
    convert::{self, file_error},
    name_of,
    node::HostNode,
};
use crate::host::directory::{self as host, Access};

/// Bytes asked for at a time.
const CHUNK: usize = 32 << 10;
/// `struct linux_dirent64` of getdents64(2): inode, place behind it, length of the entry, type, name with its NUL.
const NEXT_AT: usize = 8;
const LENGTH_AT: usize = 16;
const TYPE_AT: usize = 18;
const NAME_AT: usize = 19;

struct Entry<'a> {
    inode: u64,
    /// What the host calls the place behind it.
    next: u64,
    kind: u8,
    name: &'a [u8],
}

/// Shows the entries behind `cursor`.
pub fn list(
    directory: &HostNode,
    cursor: &mut Cursor,
    visit: &mut dyn FnMut(Listed<'_>) -> bool,
) -> Result<(), FileError> {
    let opened = directory.reopen(Access::Read)?;
    if cursor.cookie != 0 {
        host::seek(&opened, cursor.cookie).map_err(file_error)?;
    }
    let mut buffer = alloc::vec![0; CHUNK];
    loop {
        let length = host::entries(&opened, &mut buffer).map_err(file_error)?;
        if length == 0 {
            return Ok(());
        }
        let mut rest = &buffer[..length];
        while let Some((entry, behind)) = first(rest) {
            rest = behind;
            if !matches!(entry.name, b"." | b"..") {
                let kind = convert::listed_kind(entry.kind).unwrap_or_else(|| kind_of(directory, entry.name));
                if !visit(Listed { name: entry.name, inode: entry.inode, kind }) {
                    return Ok(());
                }
            }
            cursor.cookie = entry.next;
        }
    }
}

/// The first entry, and what is behind it.
fn first(bytes: &[u8]) -> Option<(Entry<'_>, &[u8])> {
    let length = u16::from_le_bytes(bytes.get(LENGTH_AT..TYPE_AT)?.try_into().ok()?);
    let (entry, behind) = bytes.split_at_checked(usize::from(length))?;
    let word = |at: usize| Some(u64::from_le_bytes(entry.get(at..at + 8)?.try_into().ok()?));
    let name = entry.get(NAME_AT..)?.split(|&byte| byte == 0).next()?;
    Some((Entry { inode: word(0)?, next: word(NEXT_AT)?, kind: entry[TYPE_AT], name }, behind))
}

/// Of an entry whose file system does not say it in the listing.
fn kind_of(directory: &HostNode, name: &[u8]) -> Kind {
    let name = name_of(name).unwrap_or_default();
    host::status_of(&directory.descriptor, &name).map_or(Kind::Regular, |status| convert::kind(status.mode))
}
