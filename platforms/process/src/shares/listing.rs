//! What a directory of a share holds.

use alloc::vec::Vec;

use vfs::{FileError, Kind, Listed};

use super::{
    convert::{self, file_error},
    name_of,
    node::HostNode,
};
use crate::host::directory::{self as host, Access};

/// Bytes asked for at a time.
const CHUNK: usize = 32 << 10;
/// `struct linux_dirent64` of getdents64(2): inode, offset, length of the entry, type, name with its NUL.
const LENGTH_AT: usize = 16;
const TYPE_AT: usize = 18;
const NAME_AT: usize = 19;

struct Entry {
    inode: u64,
    kind: u8,
    name: Vec<u8>,
}

/// Shows the entries behind `after`, in the order of their names.
pub fn list(
    directory: &HostNode,
    after: Option<&[u8]>,
    visit: &mut dyn FnMut(Listed<'_>) -> bool,
) -> Result<(), FileError> {
    let mut entries = read(directory, after)?;
    entries.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    for Entry { inode, kind, name } in entries {
        let kind = convert::listed_kind(kind).unwrap_or_else(|| kind_of(directory, &name));
        if !visit(Listed { name: &name, inode, kind }) {
            break;
        }
    }
    Ok(())
}

/// All entries behind `after`, as they come.
fn read(directory: &HostNode, after: Option<&[u8]>) -> Result<Vec<Entry>, FileError> {
    let opened = directory.reopen(Access::Read)?;
    let mut buffer = alloc::vec![0; CHUNK];
    let mut entries = Vec::new();
    loop {
        let length = host::entries(&opened, &mut buffer).map_err(file_error)?;
        if length == 0 {
            return Ok(entries);
        }
        let mut rest = &buffer[..length];
        while let Some((entry, behind)) = first(rest) {
            rest = behind;
            let is_wanted = after.is_none_or(|after| entry.name.as_slice() > after);
            if is_wanted && !matches!(entry.name.as_slice(), b"." | b"..") {
                entries.push(entry);
            }
        }
    }
}

/// The first entry, and what is behind it.
fn first(bytes: &[u8]) -> Option<(Entry, &[u8])> {
    let length = u16::from_le_bytes(bytes.get(LENGTH_AT..TYPE_AT)?.try_into().ok()?);
    let (entry, behind) = bytes.split_at_checked(usize::from(length))?;
    let inode = u64::from_le_bytes(entry.get(..8)?.try_into().ok()?);
    let name = entry.get(NAME_AT..)?.split(|&byte| byte == 0).next()?;
    Some((Entry { inode, kind: entry[TYPE_AT], name: name.to_vec() }, behind))
}

fn kind_of(directory: &HostNode, name: &[u8]) -> Kind {
    let name = name_of(name).unwrap_or_default();
    host::status_of(&directory.descriptor, &name).map_or(Kind::Regular, |status| convert::kind(status.mode))
}
