//! Addresses of sockets within the machine: a path, or a name of its own that begins with a NUL.

use alloc::{sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicU32, Ordering};

use linux_abi::{
    Directory, Errno,
    constants::{AF_UNIX, AF_UNSPEC},
};
use unix_sockets::{Name, Socket};
use vfs::{Follow, Kind, Node, Rights};

use super::super::{
    address::{Address, FAMILY},
    socket::Answer,
};
use crate::objects::{
    errors,
    files::{self, Seen},
    text,
};

/// Longest `struct sockaddr_un`.
const LONGEST: usize = 110;

/// What an address means.
pub enum Target {
    /// Nobody (AF_UNSPEC).
    Nobody,
    /// A family alone.
    Unnamed,
    /// A name that is no file, with its NUL.
    Abstract(Name),
    /// A file.
    Path(Vec<u8>),
}

/// Reads an address.
pub fn target(address: &Address) -> Answer<Target> {
    let bytes = address.bytes();
    if bytes.len() > LONGEST {
        return Err(Errno::EINVAL);
    }
    let path = bytes.get(FAMILY..).unwrap_or_default();
    match address.family() {
        Some(AF_UNSPEC) => Ok(Target::Nobody),
        Some(AF_UNIX) => Ok(match path.first() {
            None => Target::Unnamed,
            Some(0) => Target::Abstract(path.into()),
            Some(_) => Target::Path(path.split(|&byte| byte == 0).next().unwrap_or_default().to_vec()),
        }),
        _ => Err(Errno::EINVAL),
    }
}

/// A name as an address.
pub fn told(name: Option<&Name>) -> Address {
    Address::new(AF_UNIX, name.map_or(&[], |name| name))
}

/// The socket that an address names: ECONNREFUSED if there is none.
pub fn find(target: Target) -> Answer<Arc<Socket>> {
    let key = match target {
        Target::Nobody | Target::Unnamed => return Err(Errno::EINVAL),
        Target::Abstract(name) => name,
        Target::Path(path) => {
            let node = Seen::new(Directory::WORKING, path.into())?.lookup(Follow::Yes)?;
            files::credentials().check(&node.metadata(), Rights::WRITE).map_err(errors::errno)?;
            if node.kind() != Kind::Socket {
                return Err(Errno::ECONNREFUSED);
            }
            key(&*node)
        }
    };
    super::NAMES.find(&key).ok_or(Errno::ECONNREFUSED)
}

/// What the socket that a file names is found by. Names that are no files begin with a NUL.
pub fn key(node: &dyn Node) -> Name {
    let metadata = node.metadata();
    let mut key = alloc::vec![b'/'];
    key.extend_from_slice(&metadata.device.to_ne_bytes());
    key.extend_from_slice(&metadata.inode.to_ne_bytes());
    key.into()
}

/// A path as a name: with a NUL behind it.
pub fn name(path: &[u8]) -> Name {
    let mut name = path.to_vec();
    name.push(0);
    name.into()
}

/// A name that nobody has (five hexadecimal digits on Linux).
pub fn invented() -> Name {
    static NEXT: AtomicU32 = AtomicU32::new(0x10_0000);
    let mut name = alloc::vec![0];
    text::fill(&mut name, "^", &[NEXT.fetch_add(1, Ordering::Relaxed).into()]);
    name.remove(1);
    name.into()
}
