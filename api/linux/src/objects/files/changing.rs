//! Changes of nodes that those who watch them are told of.

use alloc::sync::Arc;

use linux_abi::{Directory, Errno, UserPath, constants::AtFlags};
use vfs::{Follow, Node};

use super::{Seen, description, node_at};
use crate::{
    Result,
    objects::{
        descriptors::{
            Description,
            watching::{is_watched, standing, tell},
        },
        errors::errno,
        user,
    },
};

/// Changes a node.
type Act<'a> = &'a mut dyn FnMut(&Arc<dyn Node>) -> Result;

/// Does `act` with the node that [`node_at`] finds, and tells of `events` if it went well.
#[inline(never)]
pub fn change_at(directory: Directory, address: UserPath, flags: AtFlags, events: u32, act: Act<'_>) -> Result {
    if is_watched() {
        tell_at(directory, address, flags, events, act)
    } else {
        act(&node_at(directory, address, flags)?)
    }
}

#[cold]
#[inline(never)]
fn tell_at(directory: Directory, address: UserPath, flags: AtFlags, events: u32, act: Act<'_>) -> Result {
    let path = user::read_path(address)?;
    if path.is_empty() && flags.contains(AtFlags::AT_EMPTY_PATH) && directory != Directory::WORKING {
        return change(&*description(directory.descriptor())?, events, act);
    }
    let path = if path.is_empty() && flags.contains(AtFlags::AT_EMPTY_PATH) { b".".to_vec() } else { path };
    let seen = Seen::new(directory, path.into())?;
    let follow = if flags.contains(AtFlags::AT_SYMLINK_NOFOLLOW) { Follow::No } else { Follow::Yes };
    let found = seen.view().walk(&seen.path, follow).map_err(errno)?;
    let node = found.node.ok_or(Errno::ENOENT)?;
    let answer = act(&node)?;
    tell(&node, standing(&node, &found.parent, &found.last).as_ref(), events, false);
    Ok(answer)
}

/// Does `act` with what is open, and tells of `events` if it went well.
pub fn change(description: &Description, events: u32, act: Act<'_>) -> Result {
    let answer = act(description.entry.counted())?;
    description.tell(events);
    Ok(answer)
}
