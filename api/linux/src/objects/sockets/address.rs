//! Addresses of sockets as the calls move them: the bytes of a `struct sockaddr`, which the socket's family reads.

use linux_abi::{Errno, UserAddress};

use super::socket::Answer;
use crate::{Result, objects::user};

/// Bytes of the family.
pub const FAMILY: usize = 2;
/// Bytes of `struct sockaddr_storage`, which holds any address.
const LONGEST: usize = 128;

/// An address.
#[derive(Clone, Copy)]
pub struct Address {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Address {
    /// These bytes behind the family, cut where none has more.
    pub fn new(family: u32, rest: &[u8]) -> Self {
        let mut bytes = [0; LONGEST];
        bytes[..FAMILY].copy_from_slice(&(family as u16).to_ne_bytes());
        let length = (FAMILY + rest.len()).min(LONGEST);
        bytes[FAMILY..length].copy_from_slice(&rest[..length - FAMILY]);
        Self { bytes, length }
    }

    /// Reads one of so many bytes: EINVAL if none has so many.
    pub fn read(address: UserAddress, length: usize) -> Answer<Self> {
        // The calls' lengths are numbers of 32 bits.
        let length = length as u32 as usize;
        if length > LONGEST {
            return Err(Errno::EINVAL);
        }
        let mut bytes = [0; LONGEST];
        user::copy_in(&mut bytes[..length], address)?;
        Ok(Self { bytes, length })
    }

    /// Reads one, if there is one.
    pub fn read_optional(address: UserAddress, length: usize) -> Answer<Option<Self>> {
        if address.is_null() || length as u32 == 0 { Ok(None) } else { Self::read(address, length).map(Some) }
    }

    /// Its family; `None` if it is too short to have one.
    pub fn family(&self) -> Option<u32> {
        let family = self.bytes().first_chunk::<FAMILY>()?;
        Some(u16::from_ne_bytes(*family).into())
    }

    /// All its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Writes what fits of it at `address`, and its length to where that is said to be.
    #[inline(never)]
    pub fn write(&self, address: UserAddress, length: UserAddress) -> Result {
        let room = user::read_int(length)?;
        if room > i32::MAX as usize {
            return Err(Errno::EINVAL);
        }
        user::answer_int(length, self.put(address, room)? as u32)
    }

    /// Writes what fits of it; its length.
    pub fn put(&self, address: UserAddress, room: usize) -> Result {
        user::copy_out(address, &self.bytes()[..self.length.min(room)])?;
        Ok(self.length)
    }
}
