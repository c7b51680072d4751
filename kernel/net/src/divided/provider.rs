//! The contract `sockets`.

use alloc::vec::Vec;
use core::net::{IpAddr, SocketAddr};

use contracts::outside;
use sockets::{
    Assigned, Counts, Error, Form, Interface, Listed, Membership, Neighbour, Reach, Readiness, Received, Receiving,
    Route, Sending, Setting, Shutdown, Sink, Socket, Sockets, Source, Stamp, Stream, Waiting,
};

use super::{Divided, OUTER, Of, Way};

const fn outer(Socket(number): Socket) -> Socket {
    Socket(number | OUTER)
}

impl<S: Sockets> Divided<S> {
    /// As [`outside::receive`]. What came for an address of the machine's came by the interface that has it.
    fn receive_outside(
        &self,
        socket: Socket,
        sink: &mut dyn Sink,
        receiving: Receiving,
        received: &mut Received,
    ) -> Result<(), Error> {
        outside::receive(socket, sink, receiving, received)?;
        if let Some(to) = received.to {
            received.interface = self.inside.interface_of(to).unwrap_or(received.interface);
        }
        Ok(())
    }

    /// The host's, of one that is known to lead to outside.
    fn outer(&self, socket: Socket) -> Option<Socket> {
        match self.of(socket) {
            Of::Outer(socket) => Some(socket),
            Of::Inside(_) => None,
            Of::Either(entry) => match entry.way() {
                Way::Outside(socket) => Some(socket),
                _ => None,
            },
        }
    }

    /// The stack's own socket, of what is not the host's: the host is not asked what only our stack tells.
    fn of_own(&self, socket: Socket) -> Option<Socket> {
        match self.of(socket) {
            Of::Outer(_) => None,
            Of::Inside(socket) => Some(socket),
            Of::Either(entry) => (!matches!(entry.way(), Way::Outside(_))).then_some(entry.inside),
        }
    }
}

impl<S: Sockets> Sockets for Divided<S> {
    fn open(&self, form: Form, waiting: Waiting) -> Result<Socket, Error> {
        match outside::reach() {
            Reach::Nothing => self.inside.open(form, waiting),
            Reach::Published => self.open_either(form, waiting),
            Reach::All => {
                kernel::task::look_by(contracts::sockets::look, contracts::sockets::is_told);
                outside::open(form, waiting).map(outer)
            }
        }
    }

    fn close(&self, socket: Socket) {
        match self.of(socket) {
            Of::Outer(socket) => outside::close(socket),
            Of::Inside(socket) => self.inside.close(socket),
            Of::Either(entry) => {
                self.entries.lock().remove(&socket.0);
                entry.close();
                self.inside.close(entry.inside);
            }
        }
    }

    fn bind(&self, socket: Socket, address: SocketAddr) -> Result<(), Error> {
        match self.of(socket) {
            Of::Outer(socket) => outside::bind(socket, address),
            Of::Inside(socket) => self.inside.bind(socket, address),
            Of::Either(entry) => self.bind_either(&entry, address),
        }
    }

    fn listen(&self, socket: Socket, backlog: u32) -> Result<(), Error> {
        match self.of(socket) {
            Of::Outer(socket) => outside::listen(socket, backlog),
            Of::Inside(socket) => self.inside.listen(socket, backlog),
            Of::Either(entry) => self.listen_either(&entry, backlog),
        }
    }

    fn accept(&self, socket: Socket, waiting: Waiting) -> Result<(Socket, SocketAddr), Error> {
        let accept = |socket, waiting| outside::accept(socket, waiting).map(|(socket, from)| (outer(socket), from));
        match self.of(socket) {
            Of::Outer(socket) => accept(socket, waiting),
            Of::Inside(socket) => self.inside.accept(socket, waiting),
            Of::Either(entry) => {
                let first = self.inside.accept(entry.inside, waiting.clone());
                entry.outer().into_iter().fold(first, |result, socket| match result {
                    Err(Error::WouldBlock) => accept(socket, waiting.clone()),
                    result => result,
                })
            }
        }
    }

    fn connect(&self, socket: Socket, to: Option<SocketAddr>) -> Result<(), Error> {
        match self.of(socket) {
            Of::Outer(socket) => outside::connect(socket, to),
            Of::Inside(socket) => self.inside.connect(socket, to),
            Of::Either(entry) => self.connect_either(&entry, to),
        }
    }

    fn send(&self, socket: Socket, source: &mut dyn Source, sending: &Sending) -> Result<usize, Error> {
        match self.of(socket) {
            Of::Outer(socket) => outside::send(socket, source, sending),
            Of::Inside(socket) => self.inside.send(socket, source, sending),
            Of::Either(entry) => match (sending.to, entry.way()) {
                (Some(to), _) if !self.stays(to) && !entry.form.is_stream() => {
                    outside::send(entry.way_out(to)?, source, sending)
                }
                (None, Way::Outside(socket)) => outside::send(socket, source, sending),
                _ => self.inside.send(entry.inside, source, sending),
            },
        }
    }

    fn receive(
        &self,
        socket: Socket,
        sink: &mut dyn Sink,
        receiving: Receiving,
        received: &mut Received,
    ) -> Result<(), Error> {
        match self.of(socket) {
            Of::Outer(socket) => outside::receive(socket, sink, receiving, received),
            Of::Inside(socket) => self.inside.receive(socket, sink, receiving, received),
            Of::Either(entry) => {
                if let Way::Outside(socket) = entry.way() {
                    return self.receive_outside(socket, sink, receiving, received);
                }
                let mut result = self.inside.receive(entry.inside, sink, receiving, received);
                for socket in entry.outer() {
                    if matches!(result, Err(Error::WouldBlock)) {
                        result = self.receive_outside(socket, sink, receiving, received);
                    }
                }
                result
            }
        }
    }

    fn shut_down(&self, socket: Socket, how: Shutdown) -> Result<(), Error> {
        match self.of(socket) {
            Of::Outer(socket) => outside::shut_down(socket, how),
            Of::Inside(socket) => self.inside.shut_down(socket, how),
            Of::Either(entry) => match entry.way() {
                Way::Outside(socket) => outside::shut_down(socket, how),
                _ => {
                    entry.outer().into_iter().for_each(|socket| _ = outside::shut_down(socket, how));
                    self.inside.shut_down(entry.inside, how)
                }
            },
        }
    }

    fn local(&self, socket: Socket) -> Result<SocketAddr, Error> {
        match self.of(socket) {
            Of::Outer(socket) => outside::local(socket),
            Of::Inside(socket) => self.inside.local(socket),
            Of::Either(entry) => match entry.way() {
                Way::Outside(socket) => outside::local(socket),
                _ => self.inside.local(entry.inside),
            },
        }
    }

    fn remote(&self, socket: Socket) -> Result<SocketAddr, Error> {
        match self.of(socket) {
            Of::Outer(socket) => outside::remote(socket),
            Of::Inside(socket) => self.inside.remote(socket),
            Of::Either(entry) => match entry.way() {
                Way::Outside(socket) => outside::remote(socket),
                _ => self.inside.remote(entry.inside),
            },
        }
    }

    fn readiness(&self, socket: Socket) -> Readiness {
        match self.of(socket) {
            Of::Outer(socket) => outside::readiness(socket),
            Of::Inside(socket) => self.inside.readiness(socket),
            Of::Either(entry) => entry.readiness(self.inside.readiness(entry.inside)),
        }
    }

    fn take_error(&self, socket: Socket) -> Option<Error> {
        match self.of(socket) {
            Of::Outer(socket) => outside::take_error(socket),
            Of::Inside(socket) => self.inside.take_error(socket),
            Of::Either(entry) => match entry.way() {
                Way::Outside(socket) => outside::take_error(socket),
                _ => {
                    let inside = self.inside.take_error(entry.inside);
                    inside.or_else(|| entry.outer().into_iter().find_map(outside::take_error))
                }
            },
        }
    }

    fn take_stamp(&self, socket: Socket) -> Option<Stamp> {
        self.inside.take_stamp(self.of_own(socket)?)
    }

    fn available(&self, socket: Socket) -> usize {
        match self.of(socket) {
            Of::Outer(socket) => outside::available(socket),
            Of::Inside(socket) => self.inside.available(socket),
            Of::Either(entry) => match (entry.way(), self.inside.available(entry.inside)) {
                (Way::Outside(socket), _) => outside::available(socket),
                (_, 0) => entry.outer().into_iter().map(outside::available).find(|&count| count > 0).unwrap_or(0),
                (_, count) => count,
            },
        }
    }

    fn stream(&self, socket: Socket) -> Result<Stream, Error> {
        match self.outer(socket) {
            Some(outer) => outside::stream(outer),
            None => self.inside.stream(self.of_own(socket).ok_or(Error::Unsupported)?),
        }
    }

    fn queued(&self, socket: Socket) -> usize {
        match self.outer(socket) {
            Some(outer) => outside::queued(outer),
            None => self.of_own(socket).map_or(0, |socket| self.inside.queued(socket)),
        }
    }

    fn is_at_mark(&self, socket: Socket) -> bool {
        self.of_own(socket).is_some_and(|socket| self.inside.is_at_mark(socket))
    }

    fn set(&self, socket: Socket, setting: Setting) -> Result<(), Error> {
        match self.of(socket) {
            Of::Outer(socket) => outside::set(socket, setting),
            Of::Inside(socket) => self.inside.set(socket, setting),
            Of::Either(entry) => {
                self.inside.set(entry.inside, setting)?;
                entry.set(setting);
                Ok(())
            }
        }
    }

    fn get(&self, socket: Socket, setting: Setting) -> Result<Setting, Error> {
        match self.of(socket) {
            Of::Outer(socket) => outside::get(socket, setting),
            Of::Inside(socket) => self.inside.get(socket, setting),
            Of::Either(entry) => self.inside.get(entry.inside, setting),
        }
    }

    fn set_membership(&self, socket: Socket, group: Membership, member: bool) -> Result<(), Error> {
        match self.of(socket) {
            Of::Outer(_) => Err(Error::Unsupported),
            Of::Inside(socket) => self.inside.set_membership(socket, group, member),
            Of::Either(entry) => self.inside.set_membership(entry.inside, group, member),
        }
    }

    fn name_server(&self, number: usize) -> Option<IpAddr> {
        self.inside.name_server(number)
    }

    fn interface_of(&self, address: IpAddr) -> Option<u32> {
        self.inside.interface_of(address)
    }

    fn interfaces(&self) -> Vec<Interface> {
        self.inside.interfaces()
    }

    fn addresses(&self) -> Vec<Assigned> {
        self.inside.addresses()
    }

    fn routes(&self) -> Vec<Route> {
        self.inside.routes()
    }

    fn neighbours(&self) -> Vec<Neighbour> {
        self.inside.neighbours()
    }

    fn all(&self) -> Vec<Listed> {
        let mut all = self.inside.all();
        if outside::reach() != Reach::Nothing {
            self.list_outside(&mut all);
        }
        all
    }

    fn counts(&self) -> Counts {
        self.inside.counts()
    }

    fn owes(&self) -> bool {
        // What the host's sockets have taken the host sends on, and what is left never leaves the machine.
        outside::reach() == Reach::Nothing && self.inside.owes()
    }

    fn close_all(&self) -> u64 {
        if outside::reach() == Reach::Nothing { self.inside.close_all() } else { 0 }
    }

    fn look(&self) -> bool {
        // Both: what comes inside does not make what comes from outside wait.
        self.inside.look() | outside::look()
    }

    fn is_told(&self) -> bool {
        outside::reach() == Reach::Nothing && self.inside.is_told()
    }
}
