//! What getdents(2) and getdents64(2) share.

use alloc::{sync::Arc, vec::Vec};

use linux_abi::Errno;
use vfs::{Kind, Listed, Node};

use crate::{
    Call, Result,
    files::{self, Description},
    user,
};

/// The type byte of an entry (`DT_*`): the type bits of `st_mode`, moved down.
#[must_use]
pub const fn type_byte(kind: Kind) -> u8 {
    (kind.bits() >> 12) as u8
}

/// Entries by position: 0 is `.`, 1 is `..`, all others follow in the order of their names.
const OWN: u64 = 2;

/// Writes an entry with the position behind it to the buffer, which takes so many bytes; `false` if it does not fit.
pub type Write = fn(&Listed<'_>, u64, &mut Vec<u8>, usize) -> bool;

/// Fills the call's buffer with as many entries as fit. EINVAL if not even the first does.
#[inline(never)]
pub fn list(call: &Call, description: &Description, write: Write) -> Result {
    let count = call.unsigned(2) as usize;
    let node = &description.node;
    if node.kind() != Kind::Directory {
        return Err(Errno::ENOTDIR);
    }
    let mut position = description.position.lock();
    let mut buffer = Vec::new();
    let mut offset = position.offset;
    let mut after = position.after.clone();
    let mut is_full = false;
    while offset < OWN && !is_full {
        let (name, inode): (&[u8], u64) =
            if offset == 0 { (b".", node.metadata().inode) } else { (b"..", parent(node).metadata().inode) };
        is_full = !write(&Listed { name, inode, kind: Kind::Directory }, offset + 1, &mut buffer, count);
        offset += u64::from(!is_full);
    }
    if !is_full {
        // Told a position by seekdir, the name before it is found by counting.
        let mut skip = if after.is_none() { offset - OWN } else { 0 };
        let from = after.clone();
        node.list(from.as_deref(), &mut |listed| {
            if skip > 0 {
                skip -= 1;
                return true;
            }
            is_full = !write(&listed, offset + 1, &mut buffer, count);
            if !is_full {
                offset += 1;
                after = Some(listed.name.to_vec());
            }
            !is_full
        })
        .map_err(files::errno)?;
    }
    if buffer.is_empty() && is_full {
        return Err(Errno::EINVAL);
    }
    user::copy_out(call.argument(1), &buffer)?;
    position.offset = offset;
    position.after = after;
    Ok(buffer.len())
}

fn parent(node: &Arc<dyn Node>) -> Arc<dyn Node> {
    node.place().map_or_else(|| Arc::clone(node), |place| place.parent)
}
