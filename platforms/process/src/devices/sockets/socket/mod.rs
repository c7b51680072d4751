//! One socket of the host's, and what is known of its readiness without asking.
//!
//! The host tells each change once. What was told is kept until a call finds that it is so no longer: a receive that
//! would have to wait costs no call of the host's.

mod listening;
mod shared;

use alloc::{collections::VecDeque, vec, vec::Vec};
use core::{
    mem,
    net::{IpAddr, SocketAddr},
};

use machine::Clock as _;
use sockets::{
    Error, Family, Form, Readiness, Received, Receiving, Sending, Setting, Shutdown, Sink, Source, Stream, Waiting,
};
use sync::Mutex;

use super::{errors, info, options, told, told::Port};
use crate::{
    clock::Clock,
    host::{
        HostError, companions,
        files::{self, POLLIN},
        sockets as host,
    },
};
use shared::Sharers;

/// Bytes of a stream that are carried at a time; more than any message has.
const MOST: usize = 1 << 16;
/// Others on the host's loopback, or of another family, who are answered.
const HEARD: usize = 64;

/// What a new one may be ready for: the host tells only what changes from then on.
const FRESH: Readiness = Readiness::READABLE.union(Readiness::WRITABLE);

/// A socket.
pub struct HostSocket {
    descriptor: i32,
    pub form: Form,
    family: u32,
    /// The published port that it has.
    pub port: Option<Port>,
    /// The machine's port, where the host's is another: of a connection to a published one.
    shown: Option<u16>,
    pub waiting: Waiting,
    state: Mutex<State>,
    /// Those who share its port.
    sharers: Mutex<Sharers>,
}

/// What changes.
#[derive(Default)]
struct State {
    ready: Readiness,
    /// Which of it may be so no longer: the last call took what there was, or as much as was asked for.
    doubtful: Readiness,
    error: Option<Error>,
    /// Who was heard.
    heard: VecDeque<Heard>,
    /// What comes along with messages is told.
    companions: bool,
    /// Bytes of a stream that were received, and that nobody could take.
    left: Vec<u8>,
    /// An error that came behind bytes, for the next call.
    late: Option<Error>,
    listening: bool,
}

/// Somebody who was heard.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Heard {
    /// As the machine sees them.
    seen: SocketAddr,
    /// Who that is for the host.
    who: SocketAddr,
    /// Which of the host's addresses they spoke to, if that is known.
    own: Option<IpAddr>,
}

impl Drop for HostSocket {
    fn drop(&mut self) {
        if self.port.is_none() {
            host::close(self.descriptor);
        }
    }
}

fn checked<T>(result: Result<T, HostError>) -> Result<T, Error> {
    result.map_err(errors::of)
}

/// A moment of the wall's clock on the monotonic one.
fn on_monotonic(at: u64) -> u64 {
    Clock.monotonic().saturating_sub(Clock.wall().saturating_sub(at))
}

impl HostSocket {
    /// A new one for addresses of a family.
    pub fn open(form: Form, waiting: Waiting) -> Result<Self, Error> {
        let kind = match form {
            Form::Stream(_) => host::SOCK_STREAM,
            Form::Datagrams(_) => host::SOCK_DGRAM,
            Form::LiteDatagrams(_) | Form::Echoes(_) | Form::Raw(..) => return Err(Error::Unsupported),
        };
        let family = if form.family() == Family::V4 { host::AF_INET } else { host::AF_INET6 };
        let descriptor = checked(host::open(family, kind))?;
        Ok(Self::of(descriptor, form, family, None, waiting))
    }

    fn of(descriptor: i32, form: Form, family: u32, port: Option<Port>, waiting: Waiting) -> Self {
        let state = State { ready: FRESH, doubtful: Readiness::READABLE, ..State::default() };
        let (shown, sharers) = (port.map(|port| port.port), Mutex::default());
        Self { descriptor, form, family, port, shown, waiting, state: Mutex::new(state), sharers }
    }

    /// One that has a published port. What came for somebody who had it before is gone.
    pub fn published(port: Port, form: Form, waiting: Waiting) -> Option<Self> {
        let local = host::local(port.descriptor).ok()?.family();
        let socket = Self::of(port.descriptor, form, local, Some(port), waiting);
        while port.datagrams && host::receive(port.descriptor, &mut [0; 1], host::MSG_TRUNC, None).is_ok() {}
        Some(socket)
    }

    /// Its descriptor, to be watched.
    pub const fn descriptor(&self) -> i32 {
        self.descriptor
    }

    /// The machine sees addresses of IPv4 alone.
    fn only_v4(&self) -> bool {
        self.form.family() == Family::V4
    }

    /// Whoever had a published port needs it no more: nothing is taken any more, until somebody has it again.
    pub fn retire(&self) {
        if self.port.is_some() && !self.form.is_stream() {
            let _ = host::disconnect(self.descriptor);
        } else if self.state.lock().listening {
            // The port stays with the socket (shutdown of a listening socket, Linux' inet_shutdown).
            let _ = host::shut_down(self.descriptor, 0);
        }
    }

    /// The host has told of a change.
    pub fn note(&self, events: u32) {
        let mut ready = Readiness::empty();
        for (event, bits) in [
            (host::EPOLLIN, Readiness::READABLE),
            (host::EPOLLOUT, Readiness::WRITABLE),
            (host::EPOLLPRI, Readiness::URGENT),
            (host::EPOLLRDHUP, Readiness::ENDED.union(Readiness::READABLE)),
            (host::EPOLLHUP, Readiness::HANGUP.union(Readiness::READABLE)),
            (host::EPOLLERR, Readiness::ERROR),
        ] {
            if events & event != 0 {
                ready |= bits;
            }
        }
        let mut state = self.state.lock();
        state.ready |= ready;
        state.doubtful.remove(ready);
    }

    /// What it is ready for. What is in doubt the host is asked.
    pub fn readiness(&self) -> Readiness {
        let mut state = self.state.lock();
        if !state.left.is_empty() || state.late.is_some() {
            return state.ready | Readiness::READABLE;
        }
        if !(state.ready & state.doubtful).is_empty() {
            let found = files::poll_now(self.descriptor, POLLIN);
            state.ready.set(Readiness::READABLE, found & POLLIN != 0);
            state.doubtful.remove(Readiness::READABLE);
        }
        state.ready
    }

    /// Does `call` if it would not wait as far as is known.
    fn attempt<R>(&self, needs: Readiness, call: impl FnOnce(&mut State) -> Result<R, HostError>) -> Result<R, Error> {
        let mut state = self.state.lock();
        // An error or an end is the host's to tell.
        let might = needs | Readiness::ERROR | Readiness::HANGUP;
        if !state.ready.intersects(might) {
            return Err(Error::WouldBlock);
        }
        let result = call(&mut state);
        match result {
            Err(HostError::AGAIN) => state.ready.remove(needs),
            Err(_) => state.ready.remove(Readiness::ERROR),
            Ok(_) => {}
        }
        checked(result)
    }

    /// See [`sockets::Outside::bind`].
    pub fn bind(&self, address: SocketAddr) -> Result<(), Error> {
        checked(host::bind(self.descriptor, &host::Raw::of(address, self.family)))
    }

    /// See [`sockets::Outside::connect`].
    pub fn connect(&self, to: Option<SocketAddr>) -> Result<(), Error> {
        let Some(to) = to else { return checked(host::disconnect(self.descriptor)) };
        let to = self.meant(to)?;
        self.state.lock().ready = Readiness::empty();
        checked(host::connect(self.descriptor, &host::Raw::of(to, self.family))).inspect(|()| {
            self.state.lock().ready |= FRESH;
        })
    }

    /// Whom an address means: whoever was heard by it, or else who has it.
    fn meant(&self, to: SocketAddr) -> Result<SocketAddr, Error> {
        self.heard(to).map_or_else(|| told::meant(to), |heard| Ok(heard.who))
    }

    fn heard(&self, seen: SocketAddr) -> Option<Heard> {
        self.state.lock().heard.iter().find(|heard| heard.seen == seen).copied()
    }

    fn hear(&self, who: SocketAddr, own: Option<IpAddr>) -> SocketAddr {
        let seen = told::seen(who, self.only_v4());
        let (heard, mut state) = (Heard { seen, who, own }, self.state.lock());
        if (seen != who || own.is_some()) && !state.heard.contains(&heard) {
            state.heard.retain(|known| known.seen != seen);
            state.heard.truncate(HEARD - 1);
            state.heard.push_front(heard);
        }
        seen
    }

    /// Which of the host's addresses a message goes from: the machine's own stand for the one that was spoken to.
    fn source(&self, sending: &Sending) -> Option<(IpAddr, u32)> {
        let from = sending.from?.to_canonical();
        let spoken_to = || sending.to.and_then(|to| self.heard(to)).and_then(|heard| heard.own);
        let own = if told::is_machine(from) { spoken_to()? } else { from };
        Some((own, self.family))
    }

    /// See [`sockets::Outside::send`].
    pub fn send(&self, source: &mut dyn Source, sending: &Sending) -> Result<usize, Error> {
        let to = sending.to.map(|to| self.meant(to)).transpose()?.map(|to| host::Raw::of(to, self.family));
        let mut flags = if sending.more { host::MSG_MORE } else { 0 };
        flags |= if sending.urgent { host::MSG_OOB } else { 0 };
        if !self.form.is_stream() {
            return self.send_piece(source, to.as_ref(), self.source(sending), flags);
        }
        let mut total = 0;
        loop {
            let wanted = source.left().min(MOST);
            match self.send_piece(source, None, None, flags) {
                Ok(count) => total += count,
                Err(_) if total > 0 => return Ok(total),
                Err(error) => return Err(error),
            }
            if source.left() == 0 || wanted == 0 || total % MOST != 0 {
                return Ok(total);
            }
        }
    }

    fn send_piece(
        &self,
        source: &mut dyn Source,
        to: Option<&host::Raw>,
        from: Option<(IpAddr, u32)>,
        flags: u32,
    ) -> Result<usize, Error> {
        let wanted = source.left();
        if !self.form.is_stream() && wanted > MOST {
            return Err(Error::TooLong);
        }
        let might = Readiness::WRITABLE | Readiness::ERROR | Readiness::HANGUP;
        if !self.state.lock().ready.intersects(might) {
            return Err(Error::WouldBlock);
        }
        let mut bytes = Vec::new();
        let taken = source.append(&mut bytes, MOST);
        if taken < wanted.min(MOST) && (taken == 0 || !self.form.is_stream()) {
            return Err(Error::BadAddress);
        }
        let sent = self.attempt(Readiness::WRITABLE, |state| {
            let sent = host::send(self.descriptor, &bytes[..taken], to, from, flags)?;
            if sent < taken {
                // There is room again when the host says so.
                state.ready.remove(Readiness::WRITABLE);
            }
            Ok(sent)
        });
        source.give_back(taken - sent.unwrap_or(0));
        sent
    }

    /// See [`sockets::Outside::receive`].
    pub fn receive(&self, sink: &mut dyn Sink, receiving: Receiving) -> Result<Received, Error> {
        if receiving.contains(Receiving::ERRORS) {
            return Err(Error::WouldBlock);
        }
        if !self.form.is_stream() || receiving.intersects(Receiving::PEEK | Receiving::URGENT) {
            return self.receive_piece(sink, receiving);
        }
        if let Some(error) = self.state.lock().late.take() {
            return Err(error);
        }
        // Whoever gets less than it has room for takes it that no more is there, and waits for the next edge
        // (epoll(7)): so nothing that is there may be left.
        let mut total = 0;
        loop {
            let piece = match self.receive_piece(sink, receiving) {
                Ok(piece) => piece.count,
                Err(error) if total == 0 => return Err(error),
                Err(Error::WouldBlock) => 0,
                Err(error) => {
                    self.state.lock().late = Some(error);
                    0
                }
            };
            total += piece;
            if piece < MOST || sink.room() == 0 {
                return Ok(Received { count: total, whole: total, ..Received::default() });
            }
        }
    }

    fn receive_piece(&self, sink: &mut dyn Sink, receiving: Receiving) -> Result<Received, Error> {
        let is_stream = self.form.is_stream();
        let length = sink.room().min(MOST);
        let left = mem::take(&mut self.state.lock().left);
        if !left.is_empty() {
            let taken = sink.put(&left);
            let peeked = receiving.contains(Receiving::PEEK);
            self.state.lock().left = if peeked { left } else { left[taken..].to_vec() };
            return Ok(Received { count: taken, whole: taken, ..Received::default() });
        }
        let might = Readiness::READABLE | Readiness::URGENT | Readiness::ERROR | Readiness::HANGUP;
        if !self.state.lock().ready.intersects(might) {
            return Err(Error::WouldBlock);
        }
        let mut bytes: Vec<u8> = vec![0; length];
        let mut flags = if is_stream { 0 } else { host::MSG_TRUNC };
        flags |= if receiving.contains(Receiving::URGENT) { host::MSG_OOB } else { 0 };
        flags |= if receiving.contains(Receiving::PEEK) { host::MSG_PEEK } else { 0 };
        let keeps = flags & (host::MSG_PEEK | host::MSG_OOB) != 0;
        let mut along = companions::Companions::default();
        let (count, from) = self.attempt(Readiness::READABLE, |state| {
            let wanted = state.companions.then_some(&mut along);
            let (count, from) = host::receive(self.descriptor, &mut bytes, flags, wanted)?;
            let ended = state.ready.intersects(Readiness::ENDED | Readiness::HANGUP);
            if is_stream && count < length && !ended && !keeps {
                state.ready.remove(Readiness::READABLE);
            } else if !keeps {
                state.doubtful |= Readiness::READABLE;
            }
            Ok((count, from))
        })?;
        let put = sink.put(&bytes[..count.min(length)]);
        if is_stream && put < count && !keeps {
            self.state.lock().left = bytes[put..count].to_vec();
        }
        let from = from.filter(|_| !is_stream).map(|from| self.hear(from, along.own));
        let to = along.own.map(|own| told::for_whom(own, self.only_v4()));
        let interface = if told::is_hosts() { along.interface } else { 0 };
        let companions::Companions { hop_limit, traffic_class, at, .. } = along;
        let at = if at == 0 { 0 } else { on_monotonic(at) };
        let received = Received { count: put, whole: count, from, to, ..Received::default() };
        Ok(Received { interface, hop_limit, traffic_class, at, ..received })
    }

    /// See [`sockets::Outside::shut_down`].
    pub fn shut_down(&self, how: Shutdown) -> Result<(), Error> {
        let number = match how {
            Shutdown::Read => 0,
            Shutdown::Write => 1,
            Shutdown::Both => 2,
        };
        checked(host::shut_down(self.descriptor, number))?;
        if how != Shutdown::Write {
            self.state.lock().ready |= Readiness::READABLE | Readiness::ENDED;
        }
        Ok(())
    }

    /// See [`sockets::Outside::local`]. A published port is the machine's own.
    pub fn local(&self) -> Result<SocketAddr, Error> {
        let own = checked(host::local(self.descriptor))?.read().ok_or(Error::Invalid)?;
        let own = told::own(own, self.only_v4());
        Ok(SocketAddr::new(own.ip(), self.shown.unwrap_or(own.port())))
    }

    /// See [`sockets::Outside::remote`].
    pub fn remote(&self) -> Result<SocketAddr, Error> {
        let other = checked(host::remote(self.descriptor))?.read().ok_or(Error::NotConnected)?;
        Ok(told::seen(other, self.only_v4()))
    }

    /// See [`sockets::Outside::take_error`].
    pub fn take_error(&self) -> Option<Error> {
        /// SOL_SOCKET, SO_ERROR.
        const ERROR: (u32, u32) = (1, 4);
        let mut state = self.state.lock();
        if !state.ready.contains(Readiness::ERROR) {
            return state.error.take();
        }
        state.ready.remove(Readiness::ERROR);
        let number = host::get(self.descriptor, ERROR.0, ERROR.1).ok().filter(|&number| number != 0)?;
        Some(errors::of(HostError(number)))
    }

    /// See [`sockets::Outside::available`].
    pub fn available(&self) -> usize {
        host::available(self.descriptor).unwrap_or(0)
    }

    /// See [`sockets::Outside::stream`].
    pub fn stream(&self) -> Result<Stream, Error> {
        /// SOL_TCP, TCP_INFO.
        const INFO: (u32, u32) = (6, 11);
        let mut told = [0; info::LENGTH];
        let length = checked(host::get_bytes(self.descriptor, INFO.0, INFO.1, &mut told))?;
        let limit = |setting| match self.get(setting) {
            Ok(Setting::SendBuffer(bytes) | Setting::ReceiveBuffer(bytes)) => bytes,
            _ => 0,
        };
        let limits = [Setting::SendBuffer(0), Setting::ReceiveBuffer(0)].map(limit);
        Ok(info::stream(told.get(..length).unwrap_or(&told), self.queued(), self.available(), limits))
    }

    /// See [`sockets::Outside::queued`].
    pub fn queued(&self) -> usize {
        host::queued(self.descriptor).unwrap_or(0)
    }

    /// See [`sockets::Outside::set`].
    pub fn set(&self, setting: Setting) -> Result<(), Error> {
        if let Setting::Companions(wanted) = setting {
            // Each option that a program sets says so again.
            if !self.form.is_stream() && mem::replace(&mut self.state.lock().companions, wanted) != wanted {
                companions::tell_companions(self.descriptor, wanted);
            }
            return Ok(());
        }
        match options::of(setting, self.family == host::AF_INET6) {
            Some(choice) => {
                checked(host::set(self.descriptor, choice.level, choice.option, &choice.value[..choice.words]))
            }
            None => Ok(()),
        }
    }

    /// See [`sockets::Outside::get`].
    pub fn get(&self, setting: Setting) -> Result<Setting, Error> {
        let Some(choice) = options::of(setting, self.family == host::AF_INET6) else {
            return if matches!(setting, Setting::Listening(_)) {
                Ok(Setting::Listening(self.state.lock().listening))
            } else {
                Ok(setting)
            };
        };
        let value = checked(host::get(self.descriptor, choice.level, choice.option))?;
        options::with(setting, value).ok_or(Error::NoSetting)
    }
}
