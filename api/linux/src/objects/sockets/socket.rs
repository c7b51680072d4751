//! What the calls know of a socket, of whatever family it is.

use alloc::{sync::Arc, vec::Vec};

use linux_abi::{Errno, UserAddress, constants::MessageFlags, structures::TimeValue};
use vfs::{FileError, Node};
use zerocopy::{FromBytes, IntoBytes};

use super::{address::Address, control::Writer};
use crate::{
    Result,
    objects::{descriptors::Description, files::Scattered, user},
};

/// What answers errors in the words of system calls.
pub type Answer<T> = core::result::Result<T, Errno>;

/// What socket(2) was told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// The address family (AF_UNIX).
    pub family: u32,
    /// The type (SOCK_STREAM).
    pub kind: u32,
    /// The protocol; 0 where a family has one for each type.
    pub protocol: u32,
}

/// What a send is told beside its bytes.
pub struct Sending<'a> {
    /// Where to, if it says so.
    pub to: Option<&'a Address>,
    /// Its control messages: cmsg(3).
    pub control: &'a [u8],
    /// Flags of send(2).
    pub flags: MessageFlags,
}

/// What is told of a message beside its bytes.
pub struct Told<'a> {
    /// Where its control messages go, if anybody wants them.
    pub control: Option<&'a mut Writer>,
    /// Bytes of the message; as many as the program was given of a stream.
    pub whole: usize,
    /// Whose it is, where a message says so.
    pub from: Option<Address>,
    /// What else is to be said of it (`msg_flags`).
    pub flags: MessageFlags,
}

impl<'a> Told<'a> {
    /// Nothing yet.
    pub const fn new(control: Option<&'a mut Writer>) -> Self {
        Self { control, whole: 0, from: None, flags: MessageFlags::empty() }
    }
}

/// The value of an option, where setsockopt(2) has it.
pub struct Value {
    address: UserAddress,
    size: usize,
}

/// A socket. An address is the bytes of a `struct sockaddr` of its family; the errors are those of the calls.
pub trait Socket: Node {
    /// What it is.
    fn form(&self) -> Form;

    /// Whether a message ends where a send ended (SOCK_DGRAM).
    fn keeps_messages(&self) -> bool;

    /// Gives it an address (bind(2)).
    fn bind(&self, address: &Address) -> Answer<()>;

    /// Its own address (getsockname(2)).
    fn name(&self) -> Answer<Address>;

    /// That of the other end (getpeername(2)).
    fn peer_name(&self) -> Answer<Address>;

    /// Takes connections from now on, of which so many may wait (listen(2)).
    fn listen(&self, backlog: usize) -> Answer<()>;

    /// The connection that has waited longest; [`FileError::WouldBlock`] if there is none (accept(2)).
    fn accept(&self) -> core::result::Result<Arc<dyn Socket>, FileError>;

    /// Joins it with the socket of an address. Waits as its description does (connect(2)).
    fn connect(&self, description: &Description, to: &Address) -> Result;

    /// Ends receiving, sending, or both (shutdown(2)).
    fn shut_down(&self, receive: bool, send: bool) -> Answer<()>;

    /// Sends all of `source`, or the message that it is; how many bytes. Waits as its description does (sendmsg(2)).
    fn send(&self, description: &Description, source: &mut Scattered, sending: &Sending<'_>) -> Result;

    /// Receives once, or with MSG_WAITALL until `sink` is full or the stream ends, and tells what came along, if
    /// anybody asks; how many bytes. Waits as its description does (recvmsg(2)).
    fn receive(
        &self,
        description: &Description,
        sink: &mut Scattered,
        flags: MessageFlags,
        told: Option<&mut Told<'_>>,
    ) -> Result;

    /// Bytes that wait to be sent, or only those of them that have not been (SIOCOUTQ, SIOCOUTQNSD).
    fn unsent(&self, _never: bool) -> Option<usize> {
        None
    }

    /// Whether the next byte is the one behind the urgent one (SIOCATMARK).
    fn is_at_mark(&self) -> Option<bool> {
        None
    }

    /// What an option is set to (getsockopt(2)). The program may have room for less.
    fn option(&self, level: u32, option: u32) -> Answer<Vec<u8>>;

    /// Sets an option (setsockopt(2)).
    fn set_option(&self, level: u32, option: u32, value: &Value) -> Answer<()>;
}

impl Value {
    /// `size` bytes at `address`.
    pub const fn new(address: UserAddress, size: usize) -> Self {
        Self { address, size }
    }

    /// Whether there are no bytes.
    pub const fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// A text of so many bytes at most, which ends before the first NUL.
    pub fn text(&self, most: usize) -> Answer<Vec<u8>> {
        let mut bytes: Vec<u8> = user::read_array(self.address, self.size.min(most))?;
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        bytes.truncate(end);
        Ok(bytes)
    }

    /// A number: EINVAL if there are fewer bytes.
    pub fn number(&self) -> Answer<u32> {
        self.structure()
    }

    /// A structure: EINVAL if there are fewer bytes.
    pub fn structure<T: FromBytes + IntoBytes>(&self) -> Answer<T> {
        if self.size < size_of::<T>() { Err(Errno::EINVAL) } else { user::read_struct(self.address) }
    }
}

/// How long a call waits at most, as SO_RCVTIMEO has it, in nanoseconds; 0 is for ever.
pub fn patience(value: &Value) -> Answer<u64> {
    let time: TimeValue = value.structure()?;
    if !(0..1_000_000).contains(&time.tv_usec) {
        return Err(Errno::EDOM);
    }
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Ok(seconds.saturating_mul(1_000_000_000).saturating_add(time.tv_usec as u64 * 1000))
}
