//! Who has which port: bind(2), SO_REUSEADDR and SO_REUSEPORT as Linux has them (socket(7)).

use alloc::collections::BTreeMap;
use core::net::Ipv6Addr;

use smallvec::SmallVec;

use crate::{Error, Handle};

/// Ports for those who do not choose: RFC 6335 has 49152 and more, Linux from 32768 on.
pub const FIRST_FREE: u16 = 32_768;
pub const LAST_FREE: u16 = 60_999;

/// A socket that was bound.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    pub handle: Handle,
    pub address: Ipv6Addr,
    pub only_v6: bool,
    pub reuse_address: bool,
    pub reuse_port: bool,
    pub listening: bool,
}

/// Of one port: who is bound, and how many connections use it, by whether they let others bind it.
#[derive(Debug, Default)]
struct Port {
    bound: SmallVec<[Bound; 1]>,
    strict: u32,
    lenient: u32,
}

/// All ports in use.
#[derive(Debug, Default)]
pub struct Ports {
    ports: BTreeMap<u16, Port>,
}

impl Bound {
    /// Whether packets to an address may be for it.
    fn covers(&self, address: Ipv6Addr) -> bool {
        if self.address == address {
            return true;
        }
        let v4 = address.to_ipv4_mapped().is_some();
        match self.address.to_ipv4_mapped() {
            Some(own) => own.is_unspecified() && v4,
            None => self.address.is_unspecified() && !(v4 && self.only_v6),
        }
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.covers(other.address) || other.covers(self.address)
    }

    fn conflicts(&self, other: &Self) -> bool {
        let share = self.reuse_port && other.reuse_port;
        let again = self.reuse_address && other.reuse_address && !other.listening;
        self.overlaps(other) && !share && !again
    }
}

impl Ports {
    /// Binds a socket.
    pub fn bind(&mut self, port: u16, bound: Bound) -> Result<(), Error> {
        let at = self.ports.entry(port).or_default();
        let connected = at.strict > 0 || at.lenient > 0 && !bound.reuse_address;
        if at.bound.iter().any(|other| bound.conflicts(other)) || connected && !bound.reuse_port {
            self.forget(port);
            return Err(Error::InUse);
        }
        at.bound.push(bound);
        Ok(())
    }

    /// A free port for a socket that does not choose: from a random one on.
    pub fn free(&self, from: u32) -> Result<u16, Error> {
        let count = u32::from(LAST_FREE - FIRST_FREE) + 1;
        let all = (0..count).map(|step| FIRST_FREE + ((from.wrapping_add(step)) % count) as u16);
        all.into_iter().find(|port| !self.ports.contains_key(port)).ok_or(Error::InUse)
    }

    /// Whether a socket is bound to it, so that connections of others do not take it.
    pub fn is_bound(&self, port: u16) -> bool {
        self.ports.get(&port).is_some_and(|port| !port.bound.is_empty())
    }

    /// A bound socket listens from now on.
    pub fn listen(&mut self, port: u16, handle: Handle) -> Result<(), Error> {
        let Some(at) = self.ports.get_mut(&port) else { return Err(Error::Invalid) };
        let Some(index) = at.bound.iter().position(|bound| bound.handle == handle) else {
            return Err(Error::Invalid);
        };
        let own = at.bound[index];
        let others = at.bound.iter().filter(|bound| bound.handle != handle && bound.listening);
        if others.into_iter().any(|other| own.overlaps(other) && !(own.reuse_port && other.reuse_port)) {
            return Err(Error::InUse);
        }
        at.bound[index].listening = true;
        Ok(())
    }

    /// A listener stays bound, and listens no longer.
    pub fn end_listening(&mut self, port: u16, handle: Handle) {
        let bound = self.ports.get_mut(&port).and_then(|at| at.bound.iter_mut().find(|bound| bound.handle == handle));
        if let Some(bound) = bound {
            bound.listening = false;
        }
    }

    /// A socket is closed, or a listener is.
    pub fn unbind(&mut self, port: u16, handle: Handle) {
        if let Some(at) = self.ports.get_mut(&port) {
            at.bound.retain(|bound| bound.handle != handle);
        }
        self.forget(port);
    }

    fn forget(&mut self, port: u16) {
        if self.ports.get(&port).is_some_and(|at| at.bound.is_empty() && at.strict == 0 && at.lenient == 0) {
            self.ports.remove(&port);
        }
    }

    /// A connection uses it, or no longer.
    pub fn count(&mut self, port: u16, lenient: bool, add: bool) {
        let at = self.ports.entry(port).or_default();
        let sum = if lenient { &mut at.lenient } else { &mut at.strict };
        *sum = if add { *sum + 1 } else { sum.saturating_sub(1) };
        self.forget(port);
    }

    /// The listener for a port and an address: the one with the address before those for all. `choice` chooses among
    /// those that share.
    pub fn listener(&self, port: u16, address: Ipv6Addr, choice: u32) -> Option<Handle> {
        let bound = &*self.ports.get(&port)?.bound;
        if let [bound] = bound {
            return (bound.listening && bound.covers(address)).then_some(bound.handle);
        }
        let listeners = || bound.iter().filter(|bound| bound.listening);
        let score = |bound: &Bound| match (bound.address == address, bound.address.to_ipv4_mapped().is_some()) {
            (true, _) => 3,
            (_, true) => 2,
            _ => 1,
        };
        let best = listeners().filter(|bound| bound.covers(address)).map(score).max()?;
        let chosen = || listeners().filter(|bound| bound.covers(address) && score(bound) == best);
        chosen().nth(choice as usize % chosen().count()).map(|bound| bound.handle)
    }
}
