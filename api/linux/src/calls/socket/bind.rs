//! bind(2).

use linux_abi::{Directory, FileDescriptor, UserAddress};
use vfs::{FileError, Found, Kind, Last, MakeKind, Removal};

use crate::{
    Result,
    objects::{
        descriptors::watching,
        errors,
        files::{self, Seen},
        sockets::{
            self,
            address::{self, Target},
        },
    },
};

/// Gives a socket a name: a file, or one that is no file.
pub fn bind(descriptor: FileDescriptor, address: UserAddress, length: usize) -> Result {
    let description = &files::usable(descriptor)?;
    let socket = sockets::of(description)?;
    let target = address::read(address, length)?;
    // A path is made first, as on Linux, whether the socket can have it or not.
    if socket.name().is_some() && !matches!(target, Target::Path(_)) {
        return Err(crate::Errno::EINVAL);
    }
    let (key, name) = match target {
        Target::Nobody | Target::Unnamed => {
            let name = address::invented();
            (name.clone(), name)
        }
        Target::Abstract(name) => (name.clone(), name),
        Target::Path(path) => {
            let seen = Seen::new(Directory::WORKING, path)?;
            let kind = MakeKind::Special(Kind::Socket, (0, 0));
            let made = seen.view().made(&seen.path, kind, seen.masked(0o777));
            let found = made.map_err(|error| match error {
                FileError::Exists => crate::Errno::EADDRINUSE,
                error => errors::errno(error),
            })?;
            watching::made(&found);
            if socket.name().is_some() {
                return take_back(found);
            }
            let node = found.node.ok_or(crate::Errno::ENOENT)?;
            (address::key(&*node), address::name(&seen.path))
        }
    };
    crate::objects::sockets::NAMES.add(key, socket).map_err(errors::errno)?;
    files::done(socket.set_name(name))
}

/// A socket that has a name gets no other: the file that was made for it goes.
fn take_back(found: Found) -> Result {
    if let Last::Name(name) = &found.last {
        found.parent.remove(name, Removal::File).map_err(errors::errno)?;
        watching::removed(found);
    }
    Err(crate::Errno::EINVAL)
}
