//! Interfaces and their addresses come and go.

use alloc::vec::Vec;
use core::net::IpAddr;

use nic::Attributes;
use packets::Instant;

use super::Ip;
use crate::{
    address::{Prefix, is_of_link, solicited_node},
    error::Error,
    interface::{ADDRESSES, Assigned, Interface, Medium, Origin, Standing},
    parts::Parts,
    routes::{self, Route},
};

impl<P: Parts> Ip<P> {
    /// Adds an interface, which is down, and gives its number. One that leads back to us has its addresses at once
    /// (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3).
    pub fn add_interface(&mut self, now: Instant, attributes: Attributes, medium: Medium) -> u32 {
        self.now = now;
        self.interfaces.push(Interface::new(attributes, medium));
        self.ways.changed();
        let number = self.interfaces.len() as u32;
        if medium == Medium::Loopback && self.loopback == 0 {
            self.loopback = number;
        }
        number
    }

    /// Sets an interface up or down.
    ///
    /// # Errors
    /// [`Error::Down`] if there is no such interface.
    pub fn set_up(&mut self, now: Instant, number: u32, up: bool) -> Result<(), Error> {
        self.now = now;
        let interface = self.interface_mut(number).ok_or(Error::Down)?;
        if core::mem::replace(&mut interface.up, up) == up {
            return Ok(());
        }
        self.ways.changed();
        if up {
            self.came_up(now, number)
        } else {
            let interface = self.interface_mut(number).ok_or(Error::Down)?;
            interface.queue.clear();
            interface.router_heard = false;
            self.neighbours.forget(number);
            Ok(())
        }
    }

    fn came_up(&mut self, now: Instant, number: u32) -> Result<(), Error> {
        let Some(interface) = self.interface(number) else { return Ok(()) };
        if interface.medium == Medium::Loopback && interface.addresses.is_empty() {
            let addresses =
                [(P::IPV4, IpAddr::from([127, 0, 0, 1]), 8), (P::IPV6, IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]), 128)];
            for (_, address, length) in addresses.into_iter().filter(|address| address.0) {
                self.add_address(now, number, Prefix { address, length })?;
            }
        }
        let tentative = |assigned: &&Assigned| assigned.standing == Standing::Tentative;
        let addresses = self.interface(number).map_or(&[][..], |found| &found.addresses);
        let waiting: Vec<IpAddr> = addresses.iter().filter(tentative).map(|assigned| assigned.prefix.address).collect();
        for address in waiting {
            match address {
                IpAddr::V6(address) => self.detect(number, address),
                IpAddr::V4(address) => self.probe(number, address),
            }
        }
        self.tell_groups(number);
        Ok(())
    }

    /// Gives an interface an address that lasts, and a route to its network.
    ///
    /// # Errors
    /// [`Error::Down`] if there is no such interface, [`Error::Full`], [`Error::InUse`] if it has the address, and
    /// [`Error::NotAvailable`] if that is nobody's or of a group.
    pub fn add_address(&mut self, now: Instant, number: u32, prefix: Prefix) -> Result<(), Error> {
        self.assign(now, number, Assigned::lasting(prefix, Origin::Static))
    }

    pub(super) fn assign(&mut self, now: Instant, number: u32, mut assigned: Assigned) -> Result<(), Error> {
        self.now = now;
        let prefix = assigned.prefix;
        let probed = assigned.origin == Origin::Dhcp && prefix.address.is_ipv4() && self.is_ethernet(number);
        if probed || self.must_detect(number, prefix.address) {
            assigned.standing = Standing::Tentative;
        }
        let family = if prefix.address.is_ipv4() { P::IPV4 } else { P::IPV6 };
        if !family || prefix.address.is_unspecified() || prefix.address.is_multicast() {
            return Err(Error::NotAvailable);
        }
        let interface = self.interface_mut(number).ok_or(Error::Down)?;
        if interface.assigned(prefix.address).is_some() {
            return Err(Error::InUse);
        }
        if interface.addresses.len() >= ADDRESSES {
            return Err(Error::Full);
        }
        let up = interface.up;
        interface.addresses.push(assigned);
        self.ways.changed();
        // RFC 5942, 4: what a router advertises is on the link only if it says so.
        if assigned.origin != Origin::Advertised {
            self.connect(number, prefix);
        }
        if let IpAddr::V6(address) = prefix.address {
            self.join(now, number, solicited_node(address).into())?;
        }
        match (assigned.standing, prefix.address) {
            // What is added while the interface is down is looked for when it comes up.
            (Standing::Tentative, IpAddr::V6(address)) if up => self.detect(number, address),
            (Standing::Tentative, IpAddr::V4(address)) if up => self.probe(number, address),
            (Standing::Tentative, _) => {}
            _ => self.own(number, prefix.address),
        }
        Ok(())
    }

    /// The address can be used from now on.
    pub(super) fn own(&mut self, number: u32, address: IpAddr) {
        self.local.add(address, number);
        self.ways.changed();
    }

    fn connect(&mut self, number: u32, prefix: Prefix) {
        self.routes.add(Route {
            destination: prefix,
            gateway: None,
            interface: number,
            metric: 256,
            source: prefix.address.is_ipv4().then_some(prefix.address),
            origin: routes::Origin::Connected,
            expires: None,
        });
    }

    /// Takes an address away; `false` if the interface does not have it.
    pub fn remove_address(&mut self, number: u32, address: IpAddr) -> bool {
        let Some(interface) = self.interface_mut(number) else { return false };
        let Some(at) = interface.addresses.iter().position(|assigned| assigned.prefix.address == address) else {
            return false;
        };
        let Assigned { prefix: gone, origin, .. } = interface.addresses.remove(at);
        if let IpAddr::V6(address) = address {
            self.leave(self.now, number, solicited_node(address).into());
        }
        let Some(interface) = self.interface(number) else { return false };
        let connected = interface.addresses.iter().filter(|assigned| assigned.origin != Origin::Advertised);
        let rest = connected.map(|assigned| assigned.prefix).find(|prefix| same_network(*prefix, gone));
        self.local.remove(address, number);
        self.ways.changed();
        self.routes.remove(|route| {
            let connected = route.origin == routes::Origin::Connected
                && route.destination == gone.network()
                && origin != Origin::Advertised;
            route.interface == number && (route.source == Some(address) || connected)
        });
        if let Some(rest) = rest {
            self.connect(number, rest);
        }
        true
    }

    /// Whether packets for an address that come by an interface are ours: by any interface (RFC 1122, 3.3.4.2, the weak
    /// model, as Linux'), but those of a link by theirs alone.
    #[must_use]
    pub fn is_ours(&self, number: u32, address: IpAddr) -> bool {
        let owners = self.local.owners(address);
        !owners.is_empty() && (!is_of_link(address) || owners.contains(&number))
    }

    /// The interface that has an address.
    #[must_use]
    pub fn interface_of(&self, address: IpAddr) -> Option<u32> {
        self.local.owners(address).first().copied()
    }

    /// Whether an address is of an interface of this machine.
    #[must_use]
    pub fn has_address(&self, address: IpAddr) -> bool {
        !self.local.owners(address).is_empty()
            || self.loopback != 0 && matches!(address, IpAddr::V4(address) if address.is_loopback())
    }
}

fn same_network(one: Prefix, other: Prefix) -> bool {
    one.network() == other.network()
}
