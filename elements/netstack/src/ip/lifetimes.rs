//! What was told for a time ends: addresses, routes, servers.

use alloc::vec::Vec;
use core::net::IpAddr;

use packets::Instant;

use super::{Ip, time::Duty};
use crate::parts::Parts;

impl<P: Parts> Ip<P> {
    /// Takes out addresses, routes and servers whose time has ended.
    pub(super) fn expire(&mut self) {
        let now = self.now;
        let over = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        let ended = |number: u32| {
            let addresses = self.interface(number).map_or(&[][..], |interface| &interface.addresses);
            addresses.iter().filter(|assigned| over(assigned.valid_until)).map(move |a| (number, a.prefix.address))
        };
        let ended: Vec<(u32, IpAddr)> = self.numbers().flat_map(ended).collect();
        for (number, address) in ended {
            self.remove_address(number, address);
        }
        self.routes.expire(now);
        self.servers.retain(|server| !over(server.expires));
        self.expiry = None;
        self.reckon();
    }

    /// Sets the alarm for the first thing that ends.
    pub(super) fn reckon(&mut self) {
        let addresses = self.interfaces.iter().flat_map(|interface| &interface.addresses);
        let ends = addresses.filter_map(|assigned| assigned.valid_until);
        let servers = self.servers.iter().filter_map(|server| server.expires);
        let first = ends.chain(servers).chain(self.routes.deadline()).min();
        if let Some(set) = core::mem::replace(&mut self.expiry, first) {
            self.duties.clear(set, Duty::Expire);
        }
        if let Some(first) = first {
            self.duties.set(first, Duty::Expire);
        }
    }
}
