//! What stands behind descriptors.

use std::collections::VecDeque;
use std::ffi::c_int;
use std::sync::{Arc, Mutex};

use tcp::Handle;

use crate::errno::Errno;
use crate::machine::lent::Lent;
use crate::machine::readiness::Epoll;

/// One of them.
#[derive(Debug)]
pub enum Object {
    /// A socket of TCP.
    Socket(Socket),
    /// A set of `epoll`.
    Epoll(Epoll),
    /// An end of a pipe: what is in it is shared by both.
    Pipe(Arc<Mutex<VecDeque<u8>>>),
}

/// A socket, and what this library keeps of it.
#[derive(Clone, Debug)]
pub struct Socket {
    /// TCP's own.
    pub handle: Handle,
    /// The calls that would wait say `EAGAIN`.
    pub nonblocking: bool,
    /// Addresses are of IPv6.
    pub is_v6: bool,
    /// `TCP_INQ`: `recvmsg` tells what is left to read.
    pub tells_left: bool,
    /// `SO_TIMESTAMPING`.
    pub stamps: c_int,
    /// `SO_ZEROCOPY`, and what was lent by it.
    pub lent: Lent,
    /// `TCP_NOTSENT_LOWAT` as it was set here; the machine's setting is not told.
    pub low_water: c_int,
    /// Options that TCP does not know and that change nothing: level, name, value.
    pub kept: Vec<(c_int, c_int, c_int)>,
}

impl Socket {
    /// A new one.
    pub fn new(handle: Handle, nonblocking: bool, is_v6: bool) -> Self {
        Self {
            handle,
            nonblocking,
            is_v6,
            tells_left: false,
            stamps: 0,
            lent: Lent::default(),
            low_water: 0,
            kept: Vec::new(),
        }
    }
}

impl Object {
    /// The socket, if it is one.
    pub fn socket(&mut self) -> Result<&mut Socket, Errno> {
        match self {
            Self::Socket(socket) => Ok(socket),
            Self::Epoll(_) | Self::Pipe(_) => Err(Errno(libc::ENOTSOCK)),
        }
    }
}
