//! What a lease of DHCP changes.

use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr};

use packets::Instant;

use super::Ip;
use crate::{
    address::Prefix,
    dhcp::Lease,
    interface::{Assigned, Origin},
    parts::Parts,
    routes::{self, Route},
};

impl<P: Parts> Ip<P> {
    /// Says whether an interface waits for an address, so that packets for one that is not ours are looked at.
    pub fn set_configuring(&mut self, number: u32, configuring: bool) {
        if let Some(interface) = self.interface_mut(number) {
            interface.configuring = configuring;
        }
    }

    /// The address is ours, by a router and with servers. Another one that was ours before goes.
    pub fn take_lease(&mut self, now: Instant, number: u32, lease: &Lease, before: Option<Ipv4Addr>) {
        if let Some(before) = before {
            self.remove_address(number, before.into());
        }
        // A renewal finds it there.
        let _ = self.assign(now, number, Assigned::lasting(lease.prefix, Origin::Dhcp));
        self.drop_lease(number);
        if let Some(router) = lease.router {
            self.routes.add(Route {
                destination: Prefix::everything(true),
                gateway: Some(router.into()),
                interface: number,
                metric: 1024,
                source: Some(lease.address.into()),
                origin: routes::Origin::Dhcp,
                expires: None,
            });
        }
        let servers: Vec<IpAddr> = lease.servers.iter().map(|server| (*server).into()).collect();
        self.learn_servers(number, &servers, None);
        if let (Some(mtu), Some(interface)) = (lease.mtu, self.interface_mut(number)) {
            interface.mtu_v4 = usize::from(mtu).min(interface.attributes.mtu);
            self.ways.changed();
        }
    }

    /// The routes and servers of a lease go. Its address is the caller's to take away.
    pub fn drop_lease(&mut self, number: u32) {
        self.routes.remove(|route| route.interface == number && route.origin == routes::Origin::Dhcp);
        self.servers.retain(|server| server.interface != number || server.address.is_ipv6());
    }
}
