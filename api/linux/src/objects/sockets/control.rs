//! Control messages (cmsg(3)): what goes along with bytes. What each means its family knows.

use alloc::vec::Vec;

use linux_abi::{
    Errno, UserAddress,
    constants::{MessageFlags, SOL_SOCKET},
    structures::ControlHeader,
};
use zerocopy::{FromBytes, IntoBytes};

use super::socket::Answer;
use crate::{Result, objects::user};

/// Bytes of a message's header.
pub const HEADER: usize = size_of::<ControlHeader>();
/// Most bytes of control messages (`/proc/sys/net/core/optmem_max`).
const MOST: usize = 20_480;

/// The bytes of the control messages at `address`.
pub fn read(address: UserAddress, length: usize) -> Answer<Vec<u8>> {
    if length > MOST {
        return Err(Errno::ENOBUFS);
    }
    // Fewer bytes than a header say nothing.
    if length < HEADER { Ok(Vec::new()) } else { user::read_array(address, length) }
}

/// A message: the level it belongs to, its kind there, and its content.
pub struct Message<'a> {
    pub level: i32,
    pub kind: i32,
    pub content: &'a [u8],
}

/// Does `each` with each message in turn. EINVAL if a length cannot be.
pub fn each(mut bytes: &[u8], each: &mut dyn FnMut(Message<'_>) -> Answer<()>) -> Answer<()> {
    while let Ok((header, _)) = ControlHeader::read_from_prefix(bytes) {
        let size = usize::try_from(header.cmsg_len).map_err(|_| Errno::EINVAL)?;
        let content = bytes.get(HEADER..size).ok_or(Errno::EINVAL)?;
        each(Message { level: header.cmsg_level, kind: header.cmsg_type, content })?;
        bytes = bytes.get(size.next_multiple_of(8)..).unwrap_or_default();
    }
    Ok(())
}

/// Writes control messages where a program has room for them.
pub struct Writer {
    address: UserAddress,
    room: usize,
    bytes: Vec<u8>,
    cut: bool,
    close_on_exec: bool,
}

impl Writer {
    /// `room` bytes at `address`, for a receive with these flags.
    pub const fn new(address: UserAddress, room: usize, flags: MessageFlags) -> Self {
        Self {
            address,
            room: if address.is_null() { 0 } else { room },
            bytes: Vec::new(),
            cut: false,
            close_on_exec: flags.contains(MessageFlags::MSG_CMSG_CLOEXEC),
        }
    }

    /// Whether something did not fit.
    pub const fn is_cut(&self) -> bool {
        self.cut
    }

    /// Something did not fit.
    pub const fn cut(&mut self) {
        self.cut = true;
    }

    /// Whether descriptors that come are closed on exec (MSG_CMSG_CLOEXEC).
    pub const fn closes_on_exec(&self) -> bool {
        self.close_on_exec
    }

    /// Bytes that the content of one more message has room for.
    pub fn left(&self) -> usize {
        self.room.saturating_sub(self.bytes.len() + HEADER)
    }

    /// Adds a message of SOL_SOCKET, cut to what there is room for.
    pub fn add(&mut self, kind: i32, content: &[u8]) {
        self.add_at(SOL_SOCKET, kind.cast_unsigned(), content);
    }

    /// Adds a message of any level.
    pub fn add_at(&mut self, level: u32, kind: u32, content: &[u8]) {
        let left = self.room - self.bytes.len().min(self.room);
        if left < HEADER {
            self.cut = true;
            return;
        }
        let length = (HEADER + content.len()).min(left);
        self.cut |= length < HEADER + content.len();
        let header =
            ControlHeader { cmsg_len: length as u64, cmsg_level: level.cast_signed(), cmsg_type: kind.cast_signed() };
        self.bytes.extend_from_slice(header.as_bytes());
        self.bytes.extend_from_slice(&content[..length - HEADER]);
        let padded = self.bytes.len().next_multiple_of(8).min(self.room);
        self.bytes.resize(padded, 0);
    }

    /// Writes them; how many bytes there are.
    pub fn finish(&self) -> Result {
        user::copy_out(self.address, &self.bytes)?;
        Ok(self.bytes.len())
    }
}
