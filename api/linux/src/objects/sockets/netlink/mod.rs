//! Sockets to the kernel: netlink(7). Those of the family of routes are answered by the element `netlink`; those that
//! hear of devices that come and go (NETLINK_KOBJECT_UEVENT) hear of none. All others are EPROTONOSUPPORT.

mod address;
mod facts;
mod node;
mod options;

use alloc::{collections::VecDeque, sync::Arc, vec, vec::Vec};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use linux_abi::{
    Errno,
    constants::{
        AF_NETLINK, MessageFlags, NETLINK_GET_STRICT_CHK, NETLINK_KOBJECT_UEVENT, NETLINK_ROUTE, SOCK_DGRAM, SOCK_RAW,
    },
};
use sync::{Mutex, WaitQueue};
use vfs::{FileError, Kind, Metadata, Readiness};

use super::{
    address::Address,
    socket::{self, Answer, Form, Sending, Told, Value},
    transfer::{self, Part},
};
use crate::{
    Result,
    objects::{descriptors::Description, files::Scattered},
};

/// Bytes of answers that wait in one socket: `/proc/sys/net/core/rmem_default`. One more is taken where there is room.
const ROOM: usize = 212_992;
/// Bytes of the longest request: `/proc/sys/net/core/wmem_default`.
const LONGEST: usize = 212_992;

/// A socket to the kernel.
pub struct Netlink {
    form: Form,
    /// As fstat(2) shows it.
    metadata: Mutex<Metadata>,
    /// Woken when an answer is there.
    waiting: WaitQueue,
    /// How long a receive and a send wait, in nanoseconds; 0 is for ever.
    patience: [AtomicU64; 2],
    /// Its own number, once it has one (`nl_pid`), and the groups that it listens to.
    port: AtomicU32,
    groups: AtomicU32,
    /// Which of its options are on, a bit each by their number.
    options: AtomicU32,
    answers: Mutex<Answers>,
}

/// What waits to be received.
#[derive(Default)]
struct Answers {
    datagrams: VecDeque<Vec<u8>>,
    bytes: usize,
    /// Some were lost for want of room: ENOBUFS, once.
    lost: bool,
}

/// The socket that is open, if it is one of these.
pub fn of(description: &Description) -> Option<&Netlink> {
    // Where there is no network, none of this is in the image.
    if contracts::sockets::exist() { description.node_as().ok() } else { None }
}

/// A new socket.
pub fn make(form: Form) -> Answer<Arc<Netlink>> {
    match (form.kind, form.protocol) {
        _ if !contracts::sockets::exist() => Err(Errno::EAFNOSUPPORT),
        (SOCK_DGRAM | SOCK_RAW, NETLINK_ROUTE | NETLINK_KOBJECT_UEVENT) => Ok(Arc::new(Netlink::new(form))),
        (SOCK_DGRAM | SOCK_RAW, _) => Err(Errno::EPROTONOSUPPORT),
        _ => Err(Errno::ESOCKTNOSUPPORT),
    }
}

impl Netlink {
    fn new(form: Form) -> Self {
        let mut metadata = Metadata::new(Kind::Socket, 0o777);
        let identity = crate::objects::process::identity();
        (metadata.inode, metadata.owner.user, metadata.owner.group) =
            (fs::next_number(), identity.user.effective, identity.group.effective);
        metadata.set_times(fs::now());
        Self {
            form,
            metadata: Mutex::new(metadata),
            waiting: WaitQueue::new(),
            patience: [const { AtomicU64::new(0) }; 2],
            port: AtomicU32::new(0),
            groups: AtomicU32::new(0),
            options: AtomicU32::new(0),
            answers: Mutex::default(),
        }
    }

    /// Its number, which it gets now if it has none: the process' for its first one, as on Linux.
    fn own_port(&self) -> u32 {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        if self.port.load(Ordering::Relaxed) == 0 {
            let count = NEXT.fetch_add(1, Ordering::Relaxed);
            let port = if count == 0 { crate::process().id } else { u32::MAX - 4096 - count };
            // Who was faster has given it one.
            let _ = self.port.compare_exchange(0, port, Ordering::Relaxed, Ordering::Relaxed);
        }
        self.port.load(Ordering::Relaxed)
    }

    fn has_option(&self, option: u32) -> bool {
        self.options.load(Ordering::Relaxed) >> option & 1 != 0
    }

    /// Takes requests, and keeps the answers to them.
    fn ask(&self, bytes: &[u8]) {
        if self.form.protocol != NETLINK_ROUTE {
            return;
        }
        let strict = self.has_option(NETLINK_GET_STRICT_CHK);
        let answers = ::netlink::route::answer(bytes, self.own_port(), strict, &facts::Facts);
        let mut waiting = self.answers.lock();
        for datagram in answers.datagrams {
            if waiting.bytes > ROOM {
                waiting.lost = true;
                break;
            }
            waiting.bytes += datagram.len();
            waiting.datagrams.push_back(datagram);
        }
        drop(waiting);
        self.waiting.wake_all();
    }

    fn write(&self, source: &mut dyn vfs::Source) -> core::result::Result<usize, FileError> {
        if source.left() > LONGEST {
            return Err(FileError::TooLong);
        }
        let mut bytes = vec![0; source.left()];
        let count = source.take(&mut bytes);
        if count < bytes.len() {
            return Err(FileError::BadAddress);
        }
        self.ask(&bytes);
        Ok(count)
    }

    /// Gives the next answer: bytes that were taken, and how long it is.
    fn read(&self, sink: &mut dyn vfs::Sink, keep: bool) -> core::result::Result<(usize, usize), FileError> {
        let datagram = {
            let mut waiting = self.answers.lock();
            if core::mem::take(&mut waiting.lost) {
                return Err(FileError::NoBuffers);
            }
            if keep {
                waiting.datagrams.front().cloned().ok_or(FileError::WouldBlock)?
            } else {
                let datagram = waiting.datagrams.pop_front().ok_or(FileError::WouldBlock)?;
                waiting.bytes -= datagram.len();
                datagram
            }
        };
        Ok((sink.put(&datagram), datagram.len()))
    }
}

impl socket::Socket for Netlink {
    fn form(&self) -> Form {
        self.form
    }

    fn keeps_messages(&self) -> bool {
        true
    }

    fn bind(&self, address: &Address) -> Answer<()> {
        let (port, groups) = address::read(address)?;
        let now = self.port.load(Ordering::Relaxed);
        if now != 0 && port != now && port != 0 {
            return Err(Errno::EINVAL);
        }
        if port == 0 {
            self.own_port();
        } else {
            self.port.store(port, Ordering::Relaxed);
        }
        self.groups.store(groups, Ordering::Relaxed);
        Ok(())
    }

    fn name(&self) -> Answer<Address> {
        Ok(address::told(self.port.load(Ordering::Relaxed), self.groups.load(Ordering::Relaxed)))
    }

    /// It is the kernel, whether connected or not.
    fn peer_name(&self) -> Answer<Address> {
        Ok(address::told(0, 0))
    }

    fn listen(&self, _backlog: usize) -> Answer<()> {
        Err(Errno::EOPNOTSUPP)
    }

    fn accept(&self) -> core::result::Result<Arc<dyn socket::Socket>, FileError> {
        Err(FileError::Unsupported)
    }

    fn connect(&self, _description: &Description, to: &Address) -> Result {
        address::to_kernel(to)?;
        self.own_port();
        Ok(0)
    }

    fn shut_down(&self, _receive: bool, _send: bool) -> Answer<()> {
        Err(Errno::EOPNOTSUPP)
    }

    fn send(&self, _description: &Description, source: &mut Scattered, sending: &Sending<'_>) -> Result {
        if sending.flags.contains(MessageFlags::MSG_OOB) {
            return Err(Errno::EOPNOTSUPP);
        }
        sending.to.map_or(Ok(()), address::to_kernel)?;
        self.write(source).map_err(crate::objects::errors::errno)
    }

    fn receive(
        &self,
        description: &Description,
        sink: &mut Scattered,
        flags: MessageFlags,
        told: Option<&mut Told<'_>>,
    ) -> Result {
        transfer::check_flags(flags, Errno::EOPNOTSUPP)?;
        let mut whole = 0;
        let count = transfer::receive(description, flags, false, &mut || {
            let (count, length) = self.read(sink, flags.contains(MessageFlags::MSG_PEEK))?;
            whole = length;
            Ok(Part { count, goes_on: false })
        })?;
        if let Some(told) = told {
            (told.whole, told.from) = (whole, Some(address::told(0, 0)));
        }
        Ok(count)
    }

    fn option(&self, level: u32, option: u32) -> Answer<Vec<u8>> {
        options::get(self, level, option)
    }

    fn set_option(&self, level: u32, option: u32, value: &Value) -> Answer<()> {
        options::set(self, level, option, value)
    }
}

/// What it is ready for.
fn readiness(socket: &Netlink) -> Readiness {
    let waiting = socket.answers.lock();
    Readiness::WRITABLE | Readiness::READABLE.when(!waiting.datagrams.is_empty()) | Readiness::ERROR.when(waiting.lost)
}

/// The family's number, as addresses have it.
const FAMILY: u32 = AF_NETLINK;
