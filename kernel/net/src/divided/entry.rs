//! A socket of which it is not decided yet, or not for good, whether it stays in the machine.

use alloc::{sync::Arc, vec::Vec};
use core::{
    mem::discriminant,
    net::{IpAddr, SocketAddr},
};

use contracts::outside;
use sockets::{Error, Family, Form, Readiness, Setting, Socket, Waiting};
use sync::Mutex;

/// The socket, as both networks have it.
pub struct Entry {
    /// That of the own stack, which is there always.
    pub inside: Socket,
    pub form: Form,
    pub waiting: Waiting,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// What the program has set, for sockets of the host's that are made later.
    settings: Vec<Setting>,
    /// Sockets of the host's: published ports, and ways out of datagrams by their family.
    outer: Vec<(Socket, Option<Family>)>,
    way: Way,
}

/// Whom it is connected with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// Nobody.
    #[default]
    Nobody,
    /// Somebody in the machine.
    Inside,
    /// Somebody outside, by this socket of the host's.
    Outside(Socket),
}

impl Entry {
    /// One that nobody has used yet.
    pub fn new(inside: Socket, form: Form, waiting: Waiting) -> Self {
        Self { inside, form, waiting, state: Mutex::default() }
    }

    /// Whom it is connected with.
    pub fn way(&self) -> Way {
        self.state.lock().way
    }

    /// It is connected so from now on.
    pub fn go(&self, way: Way) {
        self.state.lock().way = way;
    }

    /// Its sockets of the host's, for which it is not connected.
    pub fn outer(&self) -> Vec<Socket> {
        self.state.lock().outer.iter().map(|&(socket, _)| socket).collect()
    }

    /// Takes the published sockets of this port.
    pub fn claim(&self, port: u16) {
        let shares = self.state.lock().settings.contains(&Setting::ReusePort(true));
        let claim = |number| outside::claim(self.form, port, number, shares, Arc::clone(&self.waiting));
        // Those that another has are passed over; there are as many numbers as ports can be published.
        (0..64).filter_map(claim).for_each(|socket| self.adopt(socket, None));
    }

    fn adopt(&self, socket: Socket, family: Option<Family>) {
        let mut state = self.state.lock();
        for &setting in &state.settings {
            // What the host does not know means nothing to it.
            let _ = outside::set(socket, setting);
        }
        state.outer.push((socket, family));
    }

    /// A socket of the host's that leads to this address: one that is there, or a new one.
    pub fn way_out(&self, to: SocketAddr) -> Result<Socket, Error> {
        let family = if to.ip().to_canonical().is_ipv4() { Family::V4 } else { Family::V6 };
        let fits = |of: Option<Family>| of.is_none_or(|of| of == family);
        let known = self.state.lock().outer.iter().find(|(_, of)| fits(*of)).map(|&(socket, _)| socket);
        known.map_or_else(|| self.new_way(family), Ok)
    }

    fn new_way(&self, family: Family) -> Result<Socket, Error> {
        let form = match self.form {
            Form::Stream(_) => Form::Stream(family),
            Form::Datagrams(_) => Form::Datagrams(family),
            Form::LiteDatagrams(_) | Form::Echoes(_) | Form::Raw(..) => return Err(Error::Unsupported),
        };
        let socket = outside::open(form, Arc::clone(&self.waiting))?;
        self.adopt(socket, Some(family));
        Ok(socket)
    }

    /// Keeps a setting, and has the host know it.
    pub fn set(&self, setting: Setting) {
        let mut state = self.state.lock();
        state.settings.retain(|known| discriminant(known) != discriminant(&setting));
        state.settings.push(setting);
        state.outer.iter().for_each(|&(socket, _)| _ = outside::set(socket, setting));
    }

    /// Gives the host's sockets back.
    pub fn close(&self) {
        core::mem::take(&mut *self.state.lock()).outer.into_iter().for_each(|(socket, _)| outside::close(socket));
    }

    /// What it is ready for, beside what the own stack says.
    pub fn readiness(&self, inside: Readiness) -> Readiness {
        if let Way::Outside(socket) = self.way() {
            return outside::readiness(socket);
        }
        let of_outer = Readiness::READABLE | Readiness::ERROR;
        self.outer().into_iter().fold(inside, |ready, socket| ready | outside::readiness(socket) & of_outer)
    }
}

/// Whether an address of one's own is reached from outside by ports that are published for it.
pub fn is_published(own: IpAddr) -> bool {
    !own.to_canonical().is_loopback()
}
