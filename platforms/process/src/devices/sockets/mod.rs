//! The host's sockets, for what leaves the machine. Ports that others reach are sockets that the command has opened.
//!
//! What is refused here nobody else has to refuse: the host's loopback, and ports of the host's, unless the machine has
//! all of its network. The list of host calls has no bind(2) without that (`boot/seccomp`).

mod errors;
mod info;
mod options;
mod socket;
mod table;
mod told;
mod watch;

use alloc::{sync::Arc, vec::Vec};
use core::net::SocketAddr;

use sockets::{
    Error, Form, Outside, Reach, Readiness, Received, Receiving, Sending, Setting, Shutdown, Sink, Socket, Source,
    Stream, Waiting,
};

use socket::HostSocket;

pub use told::remember;
pub use watch::descriptor;

/// Provider of the contract `outside`.
#[derive(Debug, Default)]
pub struct HostSockets;

impl HostSockets {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

fn get(Socket(number): Socket) -> Result<Arc<HostSocket>, Error> {
    table::get(number)
}

/// Has the host tell of a socket's changes.
fn watched(socket: Socket) -> Result<Socket, Error> {
    watch::add(get(socket)?.descriptor(), socket.0)?;
    Ok(socket)
}

/// Takes one of those who share a published port out; whether it is still others'. What changes is told to one of them.
fn is_others(found: &HostSocket, Socket(number): Socket) -> bool {
    // If the host refuses, nobody comes here any more.
    found.leave(number).map(|other| watch::add(found.descriptor(), other)).is_some()
}

impl Outside for HostSockets {
    fn reach(&self) -> Reach {
        told::reach()
    }

    fn open(&self, form: Form, waiting: Waiting) -> Result<Socket, Error> {
        let socket = table::add(HostSocket::open(form, waiting)?);
        // A stream that leads nowhere would count as broken.
        if form.is_stream() { Ok(socket) } else { watched(socket) }
    }

    fn claim(&self, form: Form, port: u16, number: usize, shares: bool, waiting: Waiting) -> Option<Socket> {
        let fits = |known: &told::Port| known.port == port && known.datagrams != form.is_stream();
        let found = told::ports().filter(fits).nth(number)?;
        if table::has(found.descriptor) {
            let may_share = shares && form.is_stream();
            return if may_share { table::share(found.descriptor, form, waiting) } else { None };
        }
        let socket = table::add(HostSocket::published(found, form, waiting)?);
        // Streams are watched once they listen.
        if form.is_stream() { Some(socket) } else { watched(socket).ok() }
    }

    fn close(&self, socket: Socket) {
        if let Some(removed) = table::remove(socket)
            && !is_others(&removed, socket)
        {
            removed.retire();
        }
    }

    fn bind(&self, socket: Socket, address: SocketAddr) -> Result<(), Error> {
        if told::reach() == Reach::All { get(socket)?.bind(address) } else { Err(Error::NotAvailable) }
    }

    fn listen(&self, socket: Socket, backlog: u32) -> Result<(), Error> {
        get(socket)?.listen(backlog)?;
        watched(socket).map(drop)
    }

    fn accept(&self, socket: Socket, waiting: Waiting) -> Result<(Socket, SocketAddr), Error> {
        let listener = get(socket)?;
        let (accepted, from) = watch::or_look(|| listener.accept(socket.0, Arc::clone(&waiting)))?;
        Ok((watched(table::add(accepted))?, from))
    }

    fn connect(&self, socket: Socket, to: Option<SocketAddr>) -> Result<(), Error> {
        let connected = get(socket)?.connect(to);
        watch::sent();
        watched(socket)?;
        connected
    }

    fn send(&self, socket: Socket, source: &mut dyn Source, sending: &Sending) -> Result<usize, Error> {
        let socket = get(socket)?;
        match socket.send(source, sending) {
            Err(Error::WouldBlock) if watch::look_again() => socket.send(source, sending),
            result => {
                watch::sent();
                result
            }
        }
    }

    fn receive(
        &self,
        socket: Socket,
        sink: &mut dyn Sink,
        receiving: Receiving,
        received: &mut Received,
    ) -> Result<(), Error> {
        let socket = get(socket)?;
        let result = match socket.receive(sink, receiving) {
            Err(Error::WouldBlock) if watch::look_again() => socket.receive(sink, receiving),
            result => result,
        };
        *received = result?;
        Ok(())
    }

    fn shut_down(&self, socket: Socket, how: Shutdown) -> Result<(), Error> {
        let found = get(socket)?;
        if is_others(&found, socket) { Ok(()) } else { found.shut_down(how) }
    }

    fn local(&self, socket: Socket) -> Result<SocketAddr, Error> {
        get(socket)?.local()
    }

    fn remote(&self, socket: Socket) -> Result<SocketAddr, Error> {
        get(socket)?.remote()
    }

    fn readiness(&self, socket: Socket) -> Readiness {
        let (Ok(found), Socket(number)) = (get(socket), socket) else { return Readiness::HANGUP };
        let ready = found.readiness_for(number);
        if ready.contains(Readiness::READABLE) || !watch::look_again() { ready } else { found.readiness_for(number) }
    }

    fn take_error(&self, socket: Socket) -> Option<Error> {
        get(socket).ok()?.take_error()
    }

    fn available(&self, socket: Socket) -> usize {
        get(socket).map_or(0, |socket| socket.available())
    }

    fn stream(&self, socket: Socket) -> Result<Stream, Error> {
        get(socket)?.stream()
    }

    fn queued(&self, socket: Socket) -> usize {
        get(socket).map_or(0, |socket| socket.queued())
    }

    fn all(&self) -> Vec<(Socket, Form)> {
        table::all()
    }

    fn set(&self, socket: Socket, setting: Setting) -> Result<(), Error> {
        get(socket)?.set(setting)
    }

    fn get(&self, socket: Socket, setting: Setting) -> Result<Setting, Error> {
        get(socket)?.get(setting)
    }

    fn look(&self) -> bool {
        watch::look()
    }
}
