//! Files as the program loader and mmap(2) need them.

use alloc::{borrow::Cow, sync::Arc, vec::Vec};

use linux_abi::{Directory, Errno, FileDescriptor, constants::AtFlags};
use vfs::{Follow, Kind, Node, SliceSink};

use super::{description, path::Seen};
use crate::objects::{ability, descriptors::origin::entry_path, errors::errno};

/// A program's file, and its absolute path with all links resolved.
pub type ProgramFile = (Arc<dyn Node>, Arc<str>);

/// The file at `path`, from the working directory on.
pub fn lookup_program(path: &[u8]) -> Result<ProgramFile, Errno> {
    let seen = Seen::new(Directory::WORKING, Cow::Borrowed(path))?;
    let found = seen.view().walk(path, Follow::Yes).map_err(errno)?;
    let node = found.node.ok_or(Errno::ENOENT)?;
    let absolute =
        if ability::paths_of_mapped() { entry_path(&seen.root, &found.parent, &found.last, &node) } else { None };
    Ok((node, lossy(&absolute.unwrap_or_else(|| path.to_vec()))))
}

/// A path as people are shown it.
#[inline(never)]
fn lossy(path: &[u8]) -> Arc<str> {
    Arc::from(crate::objects::text::lossy(path))
}

/// The program that execveat(2) names by a descriptor alone, whatever has become of its name.
pub fn open_program(number: FileDescriptor) -> Result<ProgramFile, Errno> {
    let description = description(number)?;
    Ok((Arc::clone(description.node.counted()), lossy(&description.path())))
}

/// The absolute path of the program that execveat(2) names.
pub fn absolute_program_path(directory: Directory, path: &[u8], flags: AtFlags) -> Result<Vec<u8>, Errno> {
    if path.is_empty() {
        return Err(Errno::ENOENT);
    }
    let seen = Seen::new(directory, Cow::Borrowed(path))?;
    if flags.contains(AtFlags::AT_SYMLINK_NOFOLLOW) {
        let node = seen.lookup(Follow::No)?;
        if node.kind() == Kind::Link {
            return Err(Errno::ELOOP);
        }
    }
    if path.first() == Some(&b'/') {
        return Ok(path.to_vec());
    }
    let mut absolute = fs::mounts().path_of(seen.start(), &seen.root).ok_or(Errno::ENOENT)?;
    absolute.push(b'/');
    absolute.extend_from_slice(path);
    Ok(absolute)
}

/// Fills `buffer` from `offset` on; `false` if the file ends before or cannot be read.
pub fn read_exact(node: &dyn Node, offset: u64, buffer: &mut [u8]) -> bool {
    let wanted = buffer.len();
    let mut sink = SliceSink::new(buffer);
    let mut done = 0;
    while done < wanted {
        match node.read_at(offset.saturating_add(done as u64), &mut sink) {
            Ok(0) | Err(_) => return false,
            Ok(count) => done += count,
        }
    }
    true
}
