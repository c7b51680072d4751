//! Its sockets, kept in order: listeners made anew, tails kept, those that are gone taken away.

use std::net::SocketAddr;

use packets::Instant;
use smoltcp::iface::SocketHandle;
use smoltcp::socket::AnySocket;
use smoltcp::socket::tcp::{self, CongestionControl, State};
use smoltcp::time::{Duration, Instant as Moment};

use super::{RING, Smoltcp, WAITING, syn};
use crate::host::SocketOptions;

impl Smoltcp {
    /// Runs it, and puts its sockets in order behind it.
    pub(super) fn run(&mut self, now: Instant) {
        self.interface.poll(moment(now), &mut self.device, &mut self.sockets);
        self.listen_anew();
        self.keep_tails();
        self.bury();
    }

    /// Whether it asks for a connection that there is already: smoltcp would make a second one of the next listener.
    pub(super) fn is_known_syn(&self, frame: &[u8]) -> bool {
        let Some(from) = syn::source(frame) else { return false };
        let sockets = self.sockets.iter().filter_map(|(_, socket)| tcp::Socket::downcast(socket));
        sockets.filter(|socket| socket.state() == State::SynReceived).any(|socket| {
            socket.remote_endpoint().is_some_and(|end| SocketAddr::new(end.addr.into(), end.port) == from)
        })
    }

    fn keep_tails(&mut self) {
        for &handle in self.handles.iter().flatten() {
            let socket = self.sockets.get_mut::<tcp::Socket>(handle);
            if socket.state() == State::TimeWait {
                let tail = self.tails.entry(handle).or_default();
                while let Ok(1..) = socket.recv(|bytes| {
                    (bytes.len(), {
                        tail.extend(&*bytes);
                        bytes.len()
                    })
                }) {}
            }
        }
    }

    /// Replaces what was used up, and what a reset has ended before it was accepted.
    pub(super) fn listen_anew(&mut self) {
        for listener in &mut self.listeners {
            let sockets = &mut self.sockets;
            listener.waiting.retain(|&handle| {
                let dead = sockets.get::<tcp::Socket>(handle).state() == State::Closed;
                dead.then(|| sockets.remove(handle)).is_none()
            });
            let state = |handle: &SocketHandle| sockets.get::<tcp::Socket>(*handle).state();
            let listening = listener.waiting.iter().filter(|handle| state(handle) == State::Listen).count();
            for _ in listening..WAITING {
                let mut socket = new_socket(listener.options);
                socket.listen(listener.port).expect("a new socket listens");
                listener.waiting.push(sockets.add(socket));
            }
        }
    }

    /// Takes away those whose last segment is sent.
    pub(super) fn bury(&mut self) {
        let sockets = &mut self.sockets;
        self.leaving.retain(|&handle| {
            let socket = sockets.get::<tcp::Socket>(handle);
            let gone = !socket.is_open() && socket.remote_endpoint().is_none();
            gone.then(|| sockets.remove(handle)).is_none()
        });
    }
}

/// A socket with these options, as far as it knows them.
pub fn new_socket(options: SocketOptions) -> tcp::Socket<'static> {
    let ring = |bytes: Option<usize>| tcp::SocketBuffer::new(vec![0; bytes.unwrap_or(RING)]);
    let mut socket = tcp::Socket::new(ring(options.receive_buffer), ring(options.send_buffer));
    socket.set_nagle_enabled(!options.no_delay);
    socket.set_keep_alive(options.keep_alive.map(|every| Duration::from_micros(every.as_micros() as u64)));
    socket.set_congestion_control(if options.reno { CongestionControl::Reno } else { CongestionControl::Cubic });
    socket
}

/// Whether a FIN is sent and not acknowledged.
pub const fn waits_for_its_end(state: State) -> bool {
    matches!(state, State::FinWait1 | State::Closing | State::LastAck)
}

/// The moment in its words.
pub fn moment(now: Instant) -> Moment {
    Moment::from_micros(now.as_micros() as i64)
}
