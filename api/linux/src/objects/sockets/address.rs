//! Addresses of sockets (unix(7)): a path, or a name of its own that begins with a NUL.

use alloc::{sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicU32, Ordering};

use linux_abi::{
    Directory, Errno, UserAddress,
    constants::{AF_UNIX, AF_UNSPEC},
};
use unix_sockets::{Name, Socket};
use vfs::{Follow, Kind, Node, Rights};

use crate::{
    Result,
    objects::{
        errors,
        files::{self, Seen},
        text, user,
    },
};

/// Bytes of the family.
pub const FAMILY: usize = 2;
/// Longest `struct sockaddr_un`.
pub const LONGEST: usize = 110;

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

/// Reads an address of so many bytes.
pub fn read(address: UserAddress, length: usize) -> core::result::Result<Target, Errno> {
    if !(FAMILY..=LONGEST).contains(&(length as u32 as usize)) {
        return Err(Errno::EINVAL);
    }
    let bytes: Vec<u8> = user::read_array(address, length as u32 as usize)?;
    let (family, path) = bytes.split_at(FAMILY);
    match u32::from(family[0]) | u32::from(family[1]) << 8 {
        AF_UNSPEC => Ok(Target::Nobody),
        AF_UNIX => Ok(match path.first() {
            None => Target::Unnamed,
            Some(0) => Target::Abstract(path.into()),
            Some(_) => Target::Path(path.split(|&byte| byte == 0).next().unwrap_or_default().to_vec()),
        }),
        _ => Err(Errno::EINVAL),
    }
}

/// The socket that an address names: ECONNREFUSED if there is none.
pub fn find(target: Target) -> core::result::Result<Arc<Socket>, Errno> {
    let key = match target {
        Target::Nobody | Target::Unnamed => return Err(Errno::EINVAL),
        Target::Abstract(name) => name,
        Target::Path(path) => {
            let node = Seen::new(Directory::WORKING, path)?.lookup(Follow::Yes)?;
            files::credentials().check(&node.metadata(), Rights::WRITE).map_err(errors::errno)?;
            if node.kind() != Kind::Socket {
                return Err(Errno::ECONNREFUSED);
            }
            key(&*node)
        }
    };
    crate::objects::sockets::NAMES.find(&key).ok_or(Errno::ECONNREFUSED)
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

/// Writes a name as an address: what fits of it at `address`, and its length to where that is said to be.
#[inline(never)]
pub fn write(address: UserAddress, length: UserAddress, name: Option<&Name>) -> Result {
    let room = user::read_int(length)?;
    if room > i32::MAX as usize {
        return Err(Errno::EINVAL);
    }
    let needed = put(address, room, name)?;
    user::answer_int(length, needed as u32)
}

/// Writes what fits of an address; its length.
pub fn put(address: UserAddress, room: usize, name: Option<&Name>) -> Result {
    let mut bytes = Vec::from((AF_UNIX as u16).to_ne_bytes());
    bytes.extend_from_slice(name.map_or(&[], |name| name));
    user::copy_out(address, &bytes[..bytes.len().min(room)])?;
    Ok(bytes.len())
}

/// Writes the address of a message's sender, if it has one and somebody wants it.
pub fn put_sender(address: UserAddress, room: usize, name: Option<&Name>) -> Result {
    if name.is_some() { put(address, room, name) } else { Ok(0) }
}

/// The socket that a send names, if it names one.
pub fn optional(address: UserAddress, length: usize) -> core::result::Result<Option<Arc<Socket>>, Errno> {
    if address.is_null() || length as u32 == 0 { Ok(None) } else { find(read(address, length)?).map(Some) }
}
