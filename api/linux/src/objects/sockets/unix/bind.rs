//! Binding: a name that is a file, or one that is none.

use linux_abi::{Directory, Errno};
use unix_sockets::Socket;
use vfs::{FileError, Found, Kind, Last, MakeKind, Removal};

use super::{
    super::{address::Address, socket::Answer},
    address::{self, Target},
};
use crate::objects::{descriptors::watching, errors, files::Seen};

/// Gives a socket a name: a file, or one that is no file.
pub fn bind(socket: &Socket, address: &Address) -> Answer<()> {
    let target = address::target(address)?;
    // A path is made first, as on Linux, whether the socket can have it or not.
    if socket.name().is_some() && !matches!(target, Target::Path(_)) {
        return Err(Errno::EINVAL);
    }
    let (key, name) = match target {
        Target::Nobody | Target::Unnamed => {
            let name = address::invented();
            (name.clone(), name)
        }
        Target::Abstract(name) => (name.clone(), name),
        Target::Path(path) => {
            let seen = Seen::new(Directory::WORKING, path.into())?;
            let kind = MakeKind::Special(Kind::Socket, (0, 0));
            let made = seen.view().made(&seen.path, kind, seen.masked(0o777));
            let found = made.map_err(|error| match error {
                FileError::Exists => Errno::EADDRINUSE,
                error => errors::errno(error),
            })?;
            watching::made(&found);
            if socket.name().is_some() {
                return take_back(found);
            }
            let node = found.node.ok_or(Errno::ENOENT)?;
            (address::key(&*node), address::name(&seen.path))
        }
    };
    super::NAMES.add(key, socket).map_err(errors::errno)?;
    socket.set_name(name).map_err(errors::errno)
}

/// A socket that has a name gets no other: the file that was made for it goes.
fn take_back(found: Found) -> Answer<()> {
    if let Last::Name(name) = &found.last {
        found.parent.remove(name, Removal::File).map_err(errors::errno)?;
        watching::removed(found);
    }
    Err(Errno::EINVAL)
}
