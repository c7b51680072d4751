//! Sockets of the Internet over the contract `sockets`: ip(7), ipv6(7), tcp(7), udp(7).
//!
//! What a socket does its network knows. Here is what a program sees of it: addresses as structures, options by number,
//! errors by name, and waiting.

mod address;
mod control;
mod errors;
mod failed;
mod groups;
mod info;
mod kept;
mod linger;
mod node;
mod options;
mod settings;

use alloc::{sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use contracts::{
    sockets,
    sockets_element::{self as element, Error, Family, Receiving, Setting, Shutdown},
};
use identity::Capability;
use linux_abi::{
    Errno,
    constants::{
        AF_INET, IPPROTO_ICMP, IPPROTO_ICMPV6, IPPROTO_TCP, IPPROTO_UDP, IPPROTO_UDPLITE, MessageFlags, SOCK_DGRAM,
        SOCK_RAW, SOCK_STREAM,
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
    objects::{
        descriptors::Description,
        files::{self, Scattered},
    },
};
use address::Target;
pub use info::state;
pub use node::events;

/// A socket of a network.
pub struct Internet {
    number: element::Socket,
    form: element::Form,
    /// As fstat(2) shows it.
    metadata: Mutex<Metadata>,
    /// Woken when its readiness may have changed.
    waiting: Arc<WaitQueue>,
    /// How long a receive and a send wait, in nanoseconds; 0 is for ever.
    patience: [AtomicU64; 2],
    /// What is told with messages: [`control::bit`].
    told: AtomicU32,
    /// What options say that mean nothing here.
    kept: kept::Kept,
}

/// Takes so many bytes, and keeps none.
struct Nowhere(usize);

impl vfs::Sink for Nowhere {
    fn room(&self) -> usize {
        self.0
    }

    fn put(&mut self, bytes: &[u8]) -> usize {
        self.put_zeros(bytes.len())
    }

    fn put_zeros(&mut self, count: usize) -> usize {
        let count = count.min(self.0);
        self.0 -= count;
        count
    }
}

/// The socket that is open, if it is one of these.
pub fn of(description: &Description) -> Option<&Internet> {
    // Where there is no network, none of this is in the image.
    if sockets::exist() { description.node_as().ok() } else { None }
}

/// A new socket: EAFNOSUPPORT where there is no such network.
pub fn make(form: Form) -> Answer<Arc<Internet>> {
    let form = form_of(form)?;
    let waiting = Arc::new(WaitQueue::new());
    let number = sockets::open(form, Arc::clone(&waiting)).map_err(|error| match error {
        // Of the family there may be others: socket(2).
        Error::Unsupported => Errno::EPROTONOSUPPORT,
        error => errors::errno(error),
    })?;
    Ok(Arc::new(Internet::new(number, form, waiting)))
}

fn form_of(form: Form) -> Answer<element::Form> {
    /// SOCK_MAX: Linux knows no types from here on.
    const TYPES: u32 = 11;
    /// IPPROTO_MAX.
    const PROTOCOLS: u32 = 263;
    if form.kind >= TYPES || form.protocol >= PROTOCOLS {
        return Err(Errno::EINVAL);
    }
    let (family, echoes) =
        if form.family == AF_INET { (Family::V4, IPPROTO_ICMP) } else { (Family::V6, IPPROTO_ICMPV6) };
    match (form.kind, form.protocol) {
        (SOCK_STREAM, 0 | IPPROTO_TCP) => Ok(element::Form::Stream(family)),
        (SOCK_DGRAM, 0 | IPPROTO_UDP) => Ok(element::Form::Datagrams(family)),
        (SOCK_DGRAM, IPPROTO_UDPLITE) => Ok(element::Form::LiteDatagrams(family)),
        (SOCK_DGRAM, protocol) if protocol == echoes => Ok(element::Form::Echoes(family)),
        (SOCK_RAW, 1..=255) if !crate::objects::process::identity().may(Capability::NetRaw) => Err(Errno::EPERM),
        (SOCK_RAW, protocol @ 1..=255) => Ok(element::Form::Raw(family, protocol as u8)),
        (SOCK_STREAM | SOCK_DGRAM | SOCK_RAW, _) => Err(Errno::EPROTONOSUPPORT),
        _ => Err(Errno::ESOCKTNOSUPPORT),
    }
}

impl Internet {
    fn new(number: element::Socket, form: element::Form, waiting: Arc<WaitQueue>) -> Self {
        let mut metadata = Metadata::new(Kind::Socket, 0o777);
        let identity = crate::objects::process::identity();
        (metadata.inode, metadata.owner.user, metadata.owner.group) =
            (fs::next_number(), identity.user.effective, identity.group.effective);
        metadata.set_times(fs::now());
        Self {
            number,
            form,
            metadata: Mutex::new(metadata),
            waiting,
            patience: [const { AtomicU64::new(0) }; 2],
            told: AtomicU32::new(0),
            kept: kept::Kept::default(),
        }
    }

    /// The network's number for it.
    pub const fn number(&self) -> element::Socket {
        self.number
    }

    /// Whether it keeps no messages apart.
    pub const fn is_stream(&self) -> bool {
        self.form.is_stream()
    }

    const fn family(&self) -> Family {
        self.form.family()
    }

    /// UDP_SEGMENT: bytes of each message of a send, if that is said once for all.
    fn segment(&self) -> Option<u16> {
        u16::try_from(self.kept.get(kept::SEGMENT)).ok().filter(|&size| size > 0)
    }

    /// What became of a message that failed: it is never waited for.
    fn receive_failed(&self, sink: &mut Scattered, told: Option<&mut Told<'_>>) -> Result {
        let mut received = element::Received::default();
        sockets::receive(self.number, sink, Receiving::ERRORS, &mut received).map_err(errors::errno)?;
        let to = received.from.ok_or(Errno::EAGAIN)?;
        if let Some(told) = told {
            if let (Some(out), Some(failed)) = (&mut told.control, &received.failed) {
                failed::write(out, failed, to);
            }
            (told.whole, told.from) = (received.whole, Some(address::told(to, self.family())));
            told.flags = MessageFlags::MSG_ERRQUEUE;
        }
        Ok(received.count)
    }

    /// Takes bytes of a stream that nobody wants (MSG_TRUNC).
    fn discard(
        &self,
        description: &Description,
        room: usize,
        flags: MessageFlags,
        told: Option<&mut Told<'_>>,
    ) -> Result {
        let mut nowhere = Nowhere(room);
        let count = transfer::receive(description, flags, false, &mut || {
            let mut part = element::Received::default();
            sockets::receive(self.number, &mut nowhere, Receiving::empty(), &mut part).map_err(errors::of)?;
            Ok(Part { count: part.count, goes_on: nowhere.0 > 0 })
        })?;
        if let Some(told) = told {
            told.whole = count;
        }
        Ok(count)
    }

    /// Receives, and waits as its description does: behind an attempt that has found too little, or nothing at all.
    #[inline(never)]
    fn receive_more(
        &self,
        description: &Description,
        sink: &mut Scattered,
        (flags, how): (MessageFlags, Receiving),
        received: &mut element::Received,
        nothing: bool,
    ) -> Result {
        let (before, mut whole) = (received.count, received.whole);
        let more = transfer::receive(description, flags, nothing, &mut || {
            *received = element::Received::default();
            sockets::receive(self.number, sink, how, received).map_err(errors::of)?;
            whole += received.whole;
            Ok(Part { count: received.count, goes_on: self.form.is_stream() && vfs::Sink::room(sink) > 0 })
        });
        received.whole = whole;
        match more {
            Ok(more) => Ok(before + more),
            Err(_) if before > 0 => Ok(before),
            Err(error) => Err(error),
        }
    }

    /// Waits until connecting has ended; what came of it.
    fn await_connection(&self, description: &Description) -> Result {
        let (waits, deadline) = description.patience(true);
        let ended = description.until(waits, deadline, Readiness::may_write, &mut || {
            if !vfs::Node::readiness(self).may_write() {
                return Err(FileError::WouldBlock);
            }
            sockets::take_error(self.number).map_or(Ok(0), |error| Err(errors::of(error)))
        });
        // Who does not wait, or no longer, asks for it later: connect(2).
        ended.map_err(|error| if error == Errno::EAGAIN { Errno::EINPROGRESS } else { error })
    }

    /// Sends the rest, and waits as its description does: behind an attempt that has sent so many bytes.
    #[inline(never)]
    fn send_more(
        &self,
        description: &Description,
        source: &mut Scattered,
        (sending, how): (&Sending<'_>, &element::Sending),
        before: usize,
    ) -> Result {
        let (waits, deadline) = transfer::patience(description, sending.flags);
        let mut total = before;
        loop {
            let attempt = &mut || sockets::send(self.number, source, how).map_err(errors::of);
            match description.until_later(waits, deadline, Readiness::may_write, attempt) {
                Ok(count) => total += count,
                Err(_) if total > 0 => return Ok(total),
                Err(error) => return Err(error),
            }
            if !self.form.is_stream() || vfs::Source::left(source) == 0 {
                return Ok(total);
            }
        }
    }

    /// Whether a send says nothing but its bytes, and its socket neither.
    fn is_plain(&self, sending: &Sending<'_>) -> bool {
        const PLAIN: MessageFlags = MessageFlags::MSG_DONTWAIT.union(MessageFlags::MSG_NOSIGNAL);
        sending.to.is_none() && sending.control.is_empty() && PLAIN.contains(sending.flags) && !self.kept.is_any()
    }

    /// Whom a call names. A socket for datagrams of IPv6 also takes addresses of IPv4 as those are (getaddrinfo(3) asks
    /// so which of them has a route), unless it is for IPv6 alone: then this error.
    fn target(&self, to: &Address, alone: Errno) -> Answer<Target> {
        let takes_both =
            matches!(self.form, element::Form::Datagrams(Family::V6) | element::Form::LiteDatagrams(Family::V6));
        if !takes_both || to.family() != Some(AF_INET) {
            return address::target(to, self.family());
        }
        match sockets::get(self.number, Setting::OnlyV6(false)) {
            Ok(Setting::OnlyV6(true)) => Err(alone),
            _ => address::mapped(to).map(Target::Somebody),
        }
    }

    fn sending(&self, sending: &Sending<'_>) -> Answer<element::Sending> {
        let to = match sending.to.map(|to| self.target(to, Errno::ENETUNREACH)).transpose()? {
            Some(Target::Somebody(to)) => Some(to),
            Some(Target::Nobody) | None => None,
        };
        let mut how = element::Sending {
            // A stream has its other end: Linux does not look at what else is named.
            to: to.filter(|_| !self.form.is_stream()),
            more: sending.flags.contains(MessageFlags::MSG_MORE),
            urgent: sending.flags.contains(MessageFlags::MSG_OOB),
            ..element::Sending::default()
        };
        if how.urgent && !self.form.is_stream() {
            return Err(Errno::EOPNOTSUPP);
        }
        // TCP_FASTOPEN is off, as `/proc/sys/net/ipv4/tcp_fastopen` says.
        if sending.flags.contains(MessageFlags::MSG_FASTOPEN) && self.form.is_stream() {
            return Err(Errno::EOPNOTSUPP);
        }
        if matches!(self.form, element::Form::Datagrams(_)) {
            how.segment = self.segment();
        }
        control::read(sending.control, &mut how)?;
        Ok(how)
    }
}

impl socket::Socket for Internet {
    fn form(&self) -> Form {
        let (kind, protocol) = match self.form {
            element::Form::Stream(_) => (SOCK_STREAM, IPPROTO_TCP),
            element::Form::Datagrams(_) => (SOCK_DGRAM, IPPROTO_UDP),
            element::Form::LiteDatagrams(_) => (SOCK_DGRAM, IPPROTO_UDPLITE),
            element::Form::Echoes(Family::V4) => (SOCK_DGRAM, IPPROTO_ICMP),
            element::Form::Echoes(Family::V6) => (SOCK_DGRAM, IPPROTO_ICMPV6),
            element::Form::Raw(_, protocol) => (SOCK_RAW, protocol.into()),
        };
        Form { family: address::number(self.family()), kind, protocol }
    }

    fn keeps_messages(&self) -> bool {
        !self.form.is_stream()
    }

    fn bind(&self, address: &Address) -> Answer<()> {
        let own = address::own(address, self.family())?;
        options::check_port(own.port())?;
        sockets::bind(self.number, own).map_err(errors::errno)
    }

    fn name(&self) -> Answer<Address> {
        let own = sockets::local(self.number).map_err(errors::errno)?;
        Ok(address::told(own, self.family()))
    }

    fn peer_name(&self) -> Answer<Address> {
        let peer = sockets::remote(self.number).map_err(errors::errno)?;
        Ok(address::told(peer, self.family()))
    }

    fn listen(&self, backlog: usize) -> Answer<()> {
        /// `/proc/sys/net/core/somaxconn`.
        const MOST: usize = 4096;
        sockets::listen(self.number, backlog.min(MOST) as u32).map_err(errors::errno)
    }

    fn accept(&self) -> core::result::Result<Arc<dyn socket::Socket>, FileError> {
        let waiting = Arc::new(WaitQueue::new());
        let (number, _) = sockets::accept(self.number, Arc::clone(&waiting)).map_err(errors::of)?;
        let mut accepted = Self::new(number, self.form, waiting);
        accepted.kept = self.kept.inherited();
        *accepted.told.get_mut() = self.told.load(Ordering::Relaxed);
        for (own, patience) in accepted.patience.iter().zip(&self.patience) {
            own.store(patience.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        Ok(Arc::new(accepted))
    }

    fn connect(&self, description: &Description, to: &Address) -> Result {
        let to = match self.target(to, Errno::EAFNOSUPPORT)? {
            Target::Somebody(to) => Some(to),
            Target::Nobody => None,
        };
        match sockets::connect(self.number, to) {
            Ok(()) => Ok(0),
            // Even if the other side is this machine, and has answered by now.
            Err(Error::InProgress) if description.is_nonblocking() => Err(Errno::EINPROGRESS),
            Err(Error::InProgress) => self.await_connection(description),
            Err(Error::Already) if !description.is_nonblocking() => self.await_connection(description),
            Err(error) => Err(errors::errno(error)),
        }
    }

    fn shut_down(&self, receive: bool, send: bool) -> Answer<()> {
        let how = match (receive, send) {
            (true, false) => Shutdown::Read,
            (false, _) => Shutdown::Write,
            (true, true) => Shutdown::Both,
        };
        sockets::shut_down(self.number, how).map_err(errors::errno)
    }

    #[inline(never)]
    fn send(&self, description: &Description, source: &mut Scattered, sending: &Sending<'_>) -> Result {
        let how = if self.is_plain(sending) { element::Sending::default() } else { self.sending(sending)? };
        // The first attempt, by which most calls are over, needs nothing of what waiting needs.
        let sent = match sockets::send(self.number, source, &how) {
            Ok(count) if !self.form.is_stream() || vfs::Source::left(source) == 0 => Ok(count),
            Ok(count) => self.send_more(description, source, (sending, &how), count),
            Err(Error::WouldBlock) => self.send_more(description, source, (sending, &how), 0),
            Err(error) => Err(errors::errno(error)),
        };
        let silent = sending.flags.contains(MessageFlags::MSG_NOSIGNAL) || !self.form.is_stream();
        sent.map_err(|error| if silent { error } else { files::broken_pipe(error) })
    }

    #[inline(never)]
    fn receive(
        &self,
        description: &Description,
        sink: &mut Scattered,
        flags: MessageFlags,
        told: Option<&mut Told<'_>>,
    ) -> Result {
        const PLAIN: MessageFlags = MessageFlags::MSG_DONTWAIT.union(MessageFlags::MSG_NOSIGNAL);
        let mut how = Receiving::empty();
        if !PLAIN.contains(flags) {
            if flags.contains(MessageFlags::MSG_ERRQUEUE) {
                return self.receive_failed(sink, told);
            }
            let discards = flags.contains(MessageFlags::MSG_TRUNC) && !flags.contains(MessageFlags::MSG_PEEK);
            if discards && self.form.is_stream() {
                return self.discard(description, vfs::Sink::room(sink), flags, told);
            }
            how.set(Receiving::PEEK, flags.contains(MessageFlags::MSG_PEEK));
            how.set(Receiving::URGENT, flags.contains(MessageFlags::MSG_OOB));
            if how.contains(Receiving::URGENT) && !self.form.is_stream() {
                return Err(Errno::EOPNOTSUPP);
            }
        }
        let mut received = element::Received::default();
        // The first attempt, by which most calls are over, needs nothing of what waiting needs.
        let waits_for_all = flags.contains(MessageFlags::MSG_WAITALL) && self.form.is_stream();
        let count = match sockets::receive(self.number, sink, how, &mut received) {
            Ok(()) if !waits_for_all || received.count == 0 || vfs::Sink::room(sink) == 0 => received.count,
            Ok(()) if how.contains(Receiving::PEEK) => received.count,
            Ok(()) => self.receive_more(description, sink, (flags, how), &mut received, false)?,
            Err(Error::WouldBlock) => self.receive_more(description, sink, (flags, how), &mut received, true)?,
            Err(error) => return Err(errors::errno(error)),
        };
        if let Some(told) = told {
            if let Some(out) = &mut told.control {
                control::write(out, self.told.load(Ordering::Relaxed), &received, self.number);
            }
            told.whole = received.whole;
            told.from = received.from.map(|from| address::told(from, self.family()));
            told.flags = flags & MessageFlags::MSG_OOB;
        }
        Ok(count)
    }

    fn unsent(&self, never: bool) -> Option<usize> {
        if never {
            return sockets::stream(self.number).ok().map(|stream| stream.unsent as usize);
        }
        Some(sockets::queued(self.number))
    }

    fn is_at_mark(&self) -> Option<bool> {
        self.form.is_stream().then(|| sockets::is_at_mark(self.number))
    }

    fn option(&self, level: u32, option: u32) -> Answer<Vec<u8>> {
        options::get(self, level, option)
    }

    fn set_option(&self, level: u32, option: u32, value: &Value) -> Answer<()> {
        options::set(self, level, option, value)
    }
}
