//! smoltcp as a peer. Its limits shape what runs against it: rings of a fixed size, retransmissions after one second at
//! the least, SACK that is told but not heard, paths that never get shorter.

mod device;
mod order;
mod syn;

use std::collections::{HashMap, VecDeque};
use std::io::Read;
use std::net::{IpAddr, SocketAddr};

use packets::Instant;
use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet};
use smoltcp::socket::AnySocket;
use smoltcp::socket::tcp::{self, State};
use smoltcp::time::Instant as Moment;
use smoltcp::wire::{EthernetAddress, HardwareAddress, IpCidr};

use super::framed::{framed, unframed};
use crate::host::{Held, Host, Place, Ready, Socket, SocketOptions, Trouble};
use crate::random::Random;
use device::Frames;
use order::{moment, new_socket};

/// Bytes of a ring, where the options name none.
const RING: usize = 65_535;

/// Sockets that wait for a SYN, of each listener: one is used up by each that comes, and made anew behind each frame.
const WAITING: usize = 2;

/// Ports from here on are for those who connect: RFC 6335, 6.
const FIRST_PORT: u16 = 49_152;

/// A stack.
pub struct Smoltcp {
    interface: Interface,
    device: Frames,
    sockets: SocketSet<'static>,
    /// Sockets by number: none once they are given back.
    handles: Vec<Option<SocketHandle>>,
    /// What was not read yet of those that wait for nothing but their end: smoltcp forgets it when TIME_WAIT is over.
    tails: HashMap<SocketHandle, VecDeque<u8>>,
    listeners: Vec<Listener>,
    /// Given back by their owner, and not gone yet.
    leaving: Vec<SocketHandle>,
    /// The one that was used last.
    port: u16,
}

struct Listener {
    port: u16,
    options: SocketOptions,
    waiting: Vec<SocketHandle>,
}

impl Smoltcp {
    /// A stack at a place; all that it draws comes from the seed. Without neighbours it sends to whom there is.
    #[must_use]
    pub fn new(place: Place, seed: u64, neighbours: bool) -> Self {
        let ethernet = HardwareAddress::Ethernet(EthernetAddress(place.hardware()));
        let mut config = Config::new(if neighbours { ethernet } else { HardwareAddress::Ip });
        config.random_seed = seed;
        let mut device = Frames { incoming: None, outgoing: Vec::new(), place, neighbours };
        let mut interface = Interface::new(config, &mut device, Moment::ZERO);
        interface.update_ip_addrs(|addresses| {
            for (address, bits) in [(place.ipv4(), 24), (place.ipv6(), 64)] {
                addresses.push(IpCidr::new(address.into(), bits)).expect("there is room for two addresses");
            }
        });
        let sockets = SocketSet::new(Vec::new());
        let (handles, tails, listeners, leaving) = (Vec::new(), HashMap::new(), Vec::new(), Vec::new());
        let port = Random::new(seed).between(FIRST_PORT.into(), u16::MAX.into()) as u16;
        Self { interface, device, sockets, handles, tails, listeners, leaving, port }
    }

    fn adopt(&mut self, handle: SocketHandle) -> Socket {
        self.handles.push(Some(handle));
        Socket(self.handles.len() - 1)
    }

    fn socket(&mut self, socket: Socket) -> Option<&mut tcp::Socket<'static>> {
        let handle = self.handles[socket.0]?;
        Some(self.sockets.get_mut(handle))
    }

    fn give_back(&mut self, socket: Socket) -> Option<&mut tcp::Socket<'static>> {
        let handle = self.handles[socket.0].take()?;
        self.tails.remove(&handle);
        self.leaving.push(handle);
        Some(self.sockets.get_mut(handle))
    }
}

impl Host for Smoltcp {
    fn name(&self) -> &'static str {
        "smoltcp"
    }

    fn receive(&mut self, now: Instant, frames: &mut Vec<Vec<u8>>) {
        for frame in frames.drain(..) {
            if self.is_known_syn(&frame) {
                continue;
            }
            self.device.incoming = Some(if self.device.neighbours { frame } else { unframed(frame) });
            self.run(now);
        }
    }

    fn poll(&mut self, now: Instant) {
        self.run(now);
    }

    fn take_frames(&mut self, to: &mut Vec<Vec<u8>>) {
        let Frames { outgoing, place, neighbours, .. } = &mut self.device;
        to.extend(outgoing.drain(..).map(|frame| if *neighbours { frame } else { framed(*place, &frame) }));
    }

    fn deadline(&mut self, now: Instant) -> Option<Instant> {
        let at = self.interface.poll_at(moment(now), &self.sockets)?;
        Some(Instant::from_nanos(at.total_micros().max(0) as u64 * 1_000).max(now))
    }

    fn finds_path_mtu(&self) -> bool {
        false
    }

    fn listen(&mut self, port: u16, options: SocketOptions) {
        self.listeners.push(Listener { port, options, waiting: Vec::new() });
        self.listen_anew();
    }

    fn listen_no_longer(&mut self, _: Instant, port: u16) {
        let Some(at) = self.listeners.iter().position(|listener| listener.port == port) else { return };
        for handle in self.listeners.remove(at).waiting {
            self.sockets.get_mut::<tcp::Socket>(handle).abort();
            self.leaving.push(handle);
        }
        self.bury();
    }

    fn accept(&mut self, _: Instant, port: u16) -> Option<(Socket, SocketAddr)> {
        let listener = self.listeners.iter_mut().find(|listener| listener.port == port)?;
        let state = |handle: &SocketHandle| self.sockets.get::<tcp::Socket>(*handle).state();
        let waits = |handle| matches!(state(handle), State::Listen | State::SynReceived | State::Closed);
        let at = listener.waiting.iter().position(|handle| !waits(handle))?;
        let handle = listener.waiting.remove(at);
        let peer = self.sockets.get::<tcp::Socket>(handle).remote_endpoint()?;
        let peer = SocketAddr::new(peer.addr.into(), peer.port);
        Some((self.adopt(handle), peer))
    }

    fn connect(&mut self, _: Instant, to: SocketAddr, options: SocketOptions) -> Result<(Socket, u16), Trouble> {
        // One after the other, so that no two connections have the same.
        self.port = self.port.checked_add(1).unwrap_or(FIRST_PORT);
        let port = self.port;
        let mut socket = new_socket(options);
        let address: IpAddr = to.ip();
        socket.connect(self.interface.context(), (address, to.port()), port).map_err(|_| Trouble::Other)?;
        let handle = self.sockets.add(socket);
        Ok((self.adopt(handle), port))
    }

    fn connected(&mut self, socket: Socket) -> Result<(), Trouble> {
        match self.socket(socket).map(|socket| socket.state()) {
            Some(State::SynSent | State::SynReceived) => Err(Trouble::WouldBlock),
            Some(State::Closed) | None => Err(Trouble::Refused),
            Some(_) => Ok(()),
        }
    }

    fn write(&mut self, _: Instant, socket: Socket, bytes: &[u8]) -> Result<usize, Trouble> {
        let socket = self.socket(socket).ok_or(Trouble::Reset)?;
        match socket.send_slice(bytes) {
            Ok(0) => Err(Trouble::WouldBlock),
            Ok(count) => Ok(count),
            Err(_) => Err(Trouble::Reset),
        }
    }

    fn read(&mut self, _: Instant, socket: Socket, to: &mut [u8]) -> Result<usize, Trouble> {
        let handle = self.handles[socket.0].ok_or(Trouble::Reset)?;
        if let Some(tail) = self.tails.get_mut(&handle) {
            return tail.read(to).map_err(|_| Trouble::Other);
        }
        match self.sockets.get_mut::<tcp::Socket>(handle).recv_slice(to) {
            Ok(0) => Err(Trouble::WouldBlock),
            Ok(count) => Ok(count),
            Err(tcp::RecvError::Finished) => Ok(0),
            Err(tcp::RecvError::InvalidState) => Err(Trouble::Reset),
        }
    }

    fn shut_down(&mut self, _: Instant, socket: Socket) {
        if let Some(socket) = self.socket(socket) {
            socket.close();
        }
    }

    fn close(&mut self, _: Instant, socket: Socket) {
        if let Some(socket) = self.give_back(socket) {
            socket.close();
        }
    }

    fn abort(&mut self, _: Instant, socket: Socket) {
        if let Some(socket) = self.give_back(socket) {
            socket.abort();
        }
    }

    fn ready(&mut self, _: &mut Vec<Ready>) -> bool {
        false
    }

    fn held(&self) -> Held {
        let listening: usize = self.listeners.iter().map(|listener| listener.waiting.len()).sum();
        Held { sockets: self.sockets.iter().count() - listening, ..Held::default() }
    }

    fn owes(&self) -> bool {
        let sockets = self.sockets.iter().filter_map(|(_, socket)| tcp::Socket::downcast(socket));
        sockets.into_iter().any(|socket| socket.send_queue() > 0 || order::waits_for_its_end(socket.state()))
    }

    fn describe(&self, socket: Socket) -> String {
        let Some(handle) = self.handles[socket.0] else { return "given back".into() };
        let socket = self.sockets.get::<tcp::Socket>(handle);
        format!("{} {} to send, {} to read", socket.state(), socket.send_queue(), socket.recv_queue())
    }
}
