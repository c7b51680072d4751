//! Extended attributes (xattr(7)): whose they are, and who may see and change them.

use alloc::{sync::Arc, vec, vec::Vec};

use identity::Capability;
use linux_abi::{
    Directory, Errno, UserAddress, UserPath,
    constants::{AtFlags, XattrFlags},
};
use sync::Mutex;
use vfs::{Change, Extended, Kind, Node, Rights, Setting};
use watches::ATTRIBUTES;

use crate::{
    Result,
    objects::{
        descriptors::Description,
        errors,
        files::{self, changing},
        user,
    },
};

/// Longest name (XATTR_NAME_MAX).
const LONGEST_NAME: usize = 255;
/// Longest value, and longest list of names (XATTR_SIZE_MAX, XATTR_LIST_MAX).
const MOST_BYTES: usize = 65_536;

type Checked<T> = core::result::Result<T, Errno>;

/// The name at `place`.
fn name(place: UserPath) -> Checked<Vec<u8>> {
    let name = user::read_string(place, LONGEST_NAME + 1, Errno::ERANGE)?;
    if name.is_empty() { Err(Errno::ERANGE) } else { Ok(name) }
}

/// Whether the caller may do what `wanted` says with an attribute; `refused` if the name is not for it.
fn check(node: &dyn Node, name: &[u8], wanted: Rights, refused: Errno) -> Checked<()> {
    let privileged = crate::objects::process::may(Capability::SysAdmin);
    let suffix = |prefix: &[u8]| name.strip_prefix(prefix).map(<[u8]>::is_empty);
    let is_empty = match (suffix(b"user."), suffix(b"trusted."), suffix(b"security.")) {
        (Some(is_empty), ..) => {
            check_user(node, wanted, refused)?;
            is_empty
        }
        (_, Some(_), _) if !privileged => return Err(refused),
        (_, _, Some(_)) if !privileged && wanted == Rights::WRITE => return Err(Errno::EPERM),
        (_, Some(is_empty), _) | (_, _, Some(is_empty)) => is_empty,
        _ => return Err(Errno::EOPNOTSUPP),
    };
    if is_empty { Err(Errno::EINVAL) } else { Ok(()) }
}

/// Those of users are for files and directories, by the rights to their contents.
fn check_user(node: &dyn Node, wanted: Rights, refused: Errno) -> Checked<()> {
    if !matches!(node.kind(), Kind::Regular | Kind::Directory) {
        return Err(refused);
    }
    let (who, metadata) = (files::credentials(), node.metadata());
    let is_sticky = node.kind() == Kind::Directory && metadata.mode & 0o1000 != 0;
    if wanted == Rights::WRITE && is_sticky && !who.owns(metadata.owner.user) {
        return Err(Errno::EPERM);
    }
    who.check(&metadata, wanted).map_err(errors::errno)
}

fn of(node: &dyn Node) -> Checked<&Mutex<Extended>> {
    node.extended().ok_or(Errno::EOPNOTSUPP)
}

/// What is about to change, if the caller may change it.
fn changing<'a>(node: &'a Arc<dyn Node>, name: &[u8]) -> Checked<&'a Mutex<Extended>> {
    files::check_change(node)?;
    check(&**node, name, Rights::WRITE, Errno::EPERM)?;
    of(&**node)
}

/// What setxattr(2) asks for.
pub struct Wanted {
    name: Vec<u8>,
    value: Vec<u8>,
    setting: Setting,
}

impl Wanted {
    /// Reads it.
    pub fn read(place: UserPath, bytes: UserAddress, size: usize, flags: XattrFlags) -> Checked<Self> {
        if !XattrFlags::NAMED.contains(flags) {
            return Err(Errno::EINVAL);
        }
        let name = name(place)?;
        if size > MOST_BYTES {
            return Err(Errno::E2BIG);
        }
        let mut value = vec![0; size];
        user::copy_in(&mut value, bytes)?;
        let setting = match flags {
            _ if flags.is_empty() => Setting::Any,
            XattrFlags::XATTR_REPLACE => Setting::Old,
            _ => Setting::New,
        };
        Ok(Self { name, value, setting })
    }

    fn set(&self, node: &Arc<dyn Node>) -> Result {
        let extended = changing(node, &self.name)?;
        extended.lock().set(&self.name, &self.value, self.setting).map_err(errors::errno)?;
        files::done(node.change(&Change::default()))
    }
}

/// Sets an attribute of the file at a path.
pub fn set_at(path: UserPath, flags: AtFlags, wanted: &Wanted) -> Result {
    changing::change_at(Directory::WORKING, path, flags, ATTRIBUTES, &mut |node| wanted.set(node))
}

/// As [`set_at`], of an open file.
pub fn set_open(description: &Description, wanted: &Wanted) -> Result {
    changing::change(description, ATTRIBUTES, &mut |node| wanted.set(node))
}

fn remove(node: &Arc<dyn Node>, name: &[u8]) -> Result {
    changing(node, name)?.lock().remove(name).map_err(errors::errno)?;
    files::done(node.change(&Change::default()))
}

/// Takes an attribute of the file at a path away.
pub fn remove_at(path: UserPath, flags: AtFlags, place: UserPath) -> Result {
    let name = name(place)?;
    changing::change_at(Directory::WORKING, path, flags, ATTRIBUTES, &mut |node| remove(node, &name))
}

/// As [`remove_at`], of an open file.
pub fn remove_open(description: &Description, place: UserPath) -> Result {
    let name = name(place)?;
    changing::change(description, ATTRIBUTES, &mut |node| remove(node, &name))
}

/// Writes bytes to where a call wants them, or says how many there are if it has no room at all. ERANGE for too little.
fn answer(bytes: &[u8], address: UserAddress, room: usize) -> Result {
    if room > 0 {
        if bytes.len() > room {
            return Err(Errno::ERANGE);
        }
        user::copy_out(address, bytes)?;
    }
    Ok(bytes.len())
}

/// Writes the value of an attribute.
pub fn get(node: &dyn Node, place: UserPath, value: UserAddress, room: usize) -> Result {
    let name = name(place)?;
    check(node, &name, Rights::READ, Errno::ENODATA)?;
    // Copied with nothing locked: it may wait for a program's memory.
    let bytes = of(node)?.lock().get(&name).map(<[u8]>::to_vec).ok_or(Errno::ENODATA)?;
    answer(&bytes, value, room)
}

/// Writes the names of all attributes that the caller may know of, each with its NUL.
pub fn list(node: &dyn Node, place: UserAddress, room: usize) -> Result {
    let privileged = crate::objects::process::may(Capability::SysAdmin);
    let mut names = Vec::new();
    if let Some(extended) = node.extended() {
        for name in extended.lock().names().filter(|name| privileged || !name.starts_with(b"trusted.")) {
            names.extend_from_slice(name);
            names.push(0);
        }
    }
    answer(&names, place, room)
}
