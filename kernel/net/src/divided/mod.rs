//! A network in two parts: the own stack for what stays in the machine, and the host's sockets for what leaves it.
//!
//! Whether a socket leaves the machine is known when it is connected, or with each datagram. A listener is in both:
//! others in the machine reach it by the stack, and those outside by published ports.

mod entry;
mod list;
mod provider;

use alloc::{collections::BTreeMap, sync::Arc};
use core::net::SocketAddr;

use contracts::outside;
use entry::{Entry, Way, is_published};
use sockets::{Error, Form, Reach, Socket, Sockets, Waiting};
use sync::Mutex;

/// The bit of numbers that are a socket of the host's alone.
const OUTER: u64 = 1 << 63;

/// The network. Without a host's sockets it is the inner one.
pub struct Divided<S> {
    inside: S,
    entries: Mutex<BTreeMap<u64, Arc<Entry>>>,
}

/// Whose a socket is.
enum Of {
    /// The host's alone.
    Outer(Socket),
    /// The own stack's alone.
    Inside(Socket),
    /// Of both, as it turns out.
    Either(Arc<Entry>),
}

impl<S: Sockets> Divided<S> {
    /// This one for what stays inside.
    #[must_use]
    pub const fn new(inside: S) -> Self {
        Self { inside, entries: Mutex::new(BTreeMap::new()) }
    }

    fn of(&self, socket: Socket) -> Of {
        if outside::reach() == Reach::Nothing {
            return Of::Inside(socket);
        }
        if socket.0 & OUTER != 0 {
            return Of::Outer(Socket(socket.0 & !OUTER));
        }
        let known = self.entries.lock().get(&socket.0).cloned();
        known.map_or(Of::Inside(socket), Of::Either)
    }

    fn open_either(&self, form: Form, waiting: Waiting) -> Result<Socket, Error> {
        let inside = self.inside.open(form, Arc::clone(&waiting))?;
        if outside::reach() == Reach::Published && matches!(form, Form::Stream(_) | Form::Datagrams(_)) {
            self.entries.lock().insert(inside.0, Arc::new(Entry::new(inside, form, waiting)));
        }
        Ok(inside)
    }

    /// Whether an address is in the machine.
    fn stays(&self, to: SocketAddr) -> bool {
        let ip = to.ip().to_canonical();
        let is_group = ip.is_multicast() || matches!(ip, core::net::IpAddr::V4(ip) if ip.is_broadcast());
        ip.is_loopback() || ip.is_unspecified() || is_group || self.inside.interface_of(ip).is_some()
    }

    fn listen_either(&self, entry: &Entry, backlog: u32) -> Result<(), Error> {
        self.inside.listen(entry.inside, backlog)?;
        let own = self.inside.local(entry.inside)?;
        if is_published(own.ip()) && entry.outer().is_empty() {
            entry.claim(own.port());
        }
        entry.outer().into_iter().try_for_each(|socket| outside::listen(socket, backlog))
    }

    fn bind_either(&self, entry: &Entry, address: SocketAddr) -> Result<(), Error> {
        self.inside.bind(entry.inside, address)?;
        if !entry.form.is_stream() && is_published(address.ip()) {
            entry.claim(self.inside.local(entry.inside)?.port());
        }
        Ok(())
    }

    fn connect_either(&self, entry: &Entry, to: Option<SocketAddr>) -> Result<(), Error> {
        match (entry.way(), to) {
            (Way::Outside(socket), _) if entry.form.is_stream() => outside::connect(socket, to),
            (_, Some(to)) if !self.stays(to) && !self.is_busy(entry) => {
                let socket = entry.way_out(to)?;
                entry.go(Way::Outside(socket));
                outside::connect(socket, Some(to)).inspect_err(|error| {
                    if !matches!(error, Error::InProgress) && !entry.form.is_stream() {
                        entry.go(Way::Nobody);
                    }
                })
            }
            (way, to) => {
                if let Way::Outside(socket) = way {
                    outside::connect(socket, None)?;
                }
                entry.go(if to.is_some() { Way::Inside } else { Way::Nobody });
                self.inside.connect(entry.inside, to)
            }
        }
    }

    /// A stream that listens, or is connected in the machine, does not leave it.
    fn is_busy(&self, entry: &Entry) -> bool {
        let listens = || {
            let asked = self.inside.get(entry.inside, sockets::Setting::Listening(false));
            asked == Ok(sockets::Setting::Listening(true))
        };
        entry.form.is_stream() && (listens() || self.inside.remote(entry.inside).is_ok())
    }
}
