//! Our TCP, over our IP or over as little as there can be.

mod below;

use std::collections::HashMap;
use std::net::{Ipv6Addr, SocketAddr};

use packets::{Head, Instant};
use tcp::{Error, Family, Handle, Readiness, Settings, Shutdown, State, WriteFlags};

use crate::host::{Held, Host, Ready, Socket, SocketOptions, Trouble};

pub use below::{Below, bare, whole};

/// Connections that wait to be accepted, of each listener.
const BACKLOG: u32 = 128;

/// A machine.
pub struct Ours<B> {
    below: B,
    handles: Vec<Handle>,
    /// Numbers of sockets that were given back.
    free: Vec<usize>,
    listeners: HashMap<u16, Handle>,
    /// Who is meant when an event names a handle.
    names: HashMap<Handle, Ready>,
}

impl<B: Below> Ours<B> {
    /// Sockets over what is below.
    #[must_use]
    pub fn over(below: B) -> Self {
        Self { below, handles: Vec::new(), free: Vec::new(), listeners: HashMap::new(), names: HashMap::new() }
    }

    fn open(&mut self, now: Instant, family: Family, options: SocketOptions) -> Result<Handle, Trouble> {
        let (tcp, ip) = self.below.parts();
        let handle = tcp.open(family).map_err(trouble)?;
        tcp.change_settings(now, ip, handle, |settings| set(settings, &options)).map_err(trouble)?;
        Ok(handle)
    }

    fn give_back(&mut self, socket: Socket) -> Handle {
        let handle = self.handles[socket.0];
        self.names.remove(&handle);
        self.free.push(socket.0);
        handle
    }

    fn adopt(&mut self, handle: Handle) -> Socket {
        let socket = match self.free.pop() {
            Some(number) => {
                self.handles[number] = handle;
                Socket(number)
            }
            None => {
                self.handles.push(handle);
                Socket(self.handles.len() - 1)
            }
        };
        self.names.insert(handle, Ready::Socket(socket));
        socket
    }
}

impl<B: Below> Host for Ours<B> {
    fn name(&self) -> &'static str {
        self.below.name()
    }

    fn receive(&mut self, now: Instant, frames: &mut Vec<Vec<u8>>) {
        self.below.receive(now, frames);
    }

    fn poll(&mut self, now: Instant) {
        self.below.poll(now);
    }

    fn take_frames(&mut self, to: &mut Vec<Vec<u8>>) {
        self.below.take_frames(to);
    }

    fn deadline(&mut self, _: Instant) -> Option<Instant> {
        self.below.deadline()
    }

    fn finds_path_mtu(&self) -> bool {
        true
    }

    fn listen(&mut self, port: u16, options: SocketOptions) {
        let handle = self.open(Instant::default(), Family::V6, options).expect("there is room for a listener");
        let address = SocketAddr::new(Ipv6Addr::UNSPECIFIED.into(), port);
        let (tcp, ip) = self.below.parts();
        tcp.bind(ip, handle, address).expect("the port is free");
        tcp.listen(handle, BACKLOG).expect("a bound socket listens");
        self.listeners.insert(port, handle);
        self.names.insert(handle, Ready::Listener(port));
    }

    fn listen_no_longer(&mut self, now: Instant, port: u16) {
        let Some(handle) = self.listeners.remove(&port) else { return };
        self.names.remove(&handle);
        let (tcp, ip) = self.below.parts();
        let _ = tcp.close(now, ip, handle);
    }

    fn accept(&mut self, _: Instant, port: u16) -> Option<(Socket, SocketAddr)> {
        let (handle, peer) = self.below.tcp_mut().accept(*self.listeners.get(&port)?).ok()?;
        Some((self.adopt(handle), SocketAddr::new(peer.ip().to_canonical(), peer.port())))
    }

    fn connect(&mut self, now: Instant, to: SocketAddr, options: SocketOptions) -> Result<(Socket, u16), Trouble> {
        let family = if to.is_ipv4() { Family::V4 } else { Family::V6 };
        let handle = self.open(now, family, options)?;
        let (tcp, ip) = self.below.parts();
        tcp.connect(now, ip, handle, to).map_err(trouble)?;
        let port = tcp.local(handle).map_err(trouble)?.port();
        Ok((self.adopt(handle), port))
    }

    fn connected(&mut self, socket: Socket) -> Result<(), Trouble> {
        let (handle, tcp) = (self.handles[socket.0], self.below.tcp_mut());
        if let Some(error) = tcp.take_error(handle).map_err(trouble)? {
            return Err(trouble(error));
        }
        match tcp.readiness(handle).map_err(trouble)? {
            ready if ready.contains(Readiness::WRITABLE) => Ok(()),
            _ if matches!(tcp.info(handle).map_err(trouble)?.state, State::SynSent | State::SynReceived) => {
                Err(Trouble::WouldBlock)
            }
            _ => Ok(()),
        }
    }

    fn write(&mut self, now: Instant, socket: Socket, bytes: &[u8]) -> Result<usize, Trouble> {
        let (tcp, ip) = self.below.parts();
        tcp.write(now, ip, self.handles[socket.0], &mut Head::payload(bytes), WriteFlags::empty()).map_err(trouble)
    }

    fn read(&mut self, now: Instant, socket: Socket, to: &mut [u8]) -> Result<usize, Trouble> {
        let (tcp, ip) = self.below.parts();
        tcp.read(now, ip, self.handles[socket.0], to).map_err(trouble)
    }

    fn shut_down(&mut self, now: Instant, socket: Socket) {
        let (tcp, ip) = self.below.parts();
        let _ = tcp.shutdown(now, ip, self.handles[socket.0], Shutdown::Write);
    }

    fn close(&mut self, now: Instant, socket: Socket) {
        let handle = self.give_back(socket);
        let (tcp, ip) = self.below.parts();
        let _ = tcp.close(now, ip, handle);
    }

    fn abort(&mut self, now: Instant, socket: Socket) {
        let handle = self.give_back(socket);
        let (tcp, ip) = self.below.parts();
        let _ = tcp.abort(now, ip, handle);
    }

    fn ready(&mut self, to: &mut Vec<Ready>) -> bool {
        let mut handles = Vec::new();
        self.below.tcp_mut().take_events(&mut handles);
        to.extend(handles.iter().filter_map(|handle| self.names.get(handle)));
        true
    }

    fn held(&self) -> Held {
        let counts = self.below.tcp().counts();
        let sockets = (counts.sockets + counts.half_open + counts.time_waits) as usize - self.listeners.len();
        let timers = usize::from(self.below.tcp().deadline().is_some());
        Held { sockets, bytes: self.below.tcp().memory(), timers }
    }

    fn owes(&self) -> bool {
        let tcp = self.below.tcp();
        let owes = |info: tcp::Info| info.queued > 0 || !at_rest(info.state) || info.receive_window == 0;
        let mine = self.names.iter().filter(|(_, ready)| ready.socket().is_some());
        tcp.counts().orphans > 0 || mine.filter_map(|(handle, _)| tcp.info(*handle).ok()).any(owes)
    }

    fn describe(&self, socket: Socket) -> String {
        match self.below.tcp().info(self.handles[socket.0]) {
            Ok(info) => format!("{info:?}"),
            Err(error) => format!("{error:?}"),
        }
    }
}

/// Whether it waits for no acknowledgment of its SYN or FIN.
const fn at_rest(state: State) -> bool {
    !matches!(state, State::SynSent | State::SynReceived | State::FinWait1 | State::Closing | State::LastAck)
}

fn set(settings: &mut Settings, options: &SocketOptions) {
    settings.no_delay = options.no_delay;
    settings.keep_alive = options.keep_alive.is_some();
    settings.keep_idle = options.keep_alive.unwrap_or(settings.keep_idle);
    settings.receive_limit = options.receive_buffer.map(|bytes| bytes as u32);
    settings.send_limit = options.send_buffer.map(|bytes| bytes as u32);
}

fn trouble(error: Error) -> Trouble {
    match error {
        Error::WouldBlock | Error::InProgress | Error::Already => Trouble::WouldBlock,
        Error::Refused => Trouble::Refused,
        Error::Reset | Error::Aborted | Error::Closed | Error::NotConnected => Trouble::Reset,
        Error::TimedOut => Trouble::TimedOut,
        _ => Trouble::Other,
    }
}
