//! Where packets go: the longest prefix wins, then the lowest metric (RFC 1122, 3.3.1; RFC 4191, 3.2).
//!
//! A connection keeps the way that was found for it, so a look is once per connection, or per datagram of an
//! unconnected socket. It walks over the routes in their order; hosts have a handful, and more than [`ROUTES`] are
//! refused.

use alloc::vec::Vec;
use core::{cmp::Reverse, net::IpAddr};

use packets::Instant;

use crate::address::Prefix;

/// Routes at once. Of these, [`ADVERTISED`] from routers' advertisements at most.
pub const ROUTES: usize = 256;
/// Routes from advertisements: a link may have many liars.
pub const ADVERTISED: usize = 16;

/// Who has made a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// It follows from an address of an interface.
    Connected,
    /// Somebody said so.
    Static,
    /// DHCP.
    Dhcp,
    /// A router's advertisement.
    Advertised,
}

/// A route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// Which addresses it is for.
    pub destination: Prefix,
    /// The router to go by; without one the addresses are on the link.
    pub gateway: Option<IpAddr>,
    /// The interface's number.
    pub interface: u32,
    /// Of two for the same addresses the lower one wins.
    pub metric: u32,
    /// The source that packets get, if it is said.
    pub source: Option<IpAddr>,
    /// Who made it.
    pub origin: Origin,
    /// When it ends by itself.
    pub expires: Option<Instant>,
}

/// All routes, the longest prefix first.
#[derive(Debug, Default)]
pub struct Routes {
    list: Vec<Route>,
    changes: u64,
}

impl Routes {
    /// All of them in the order in which they are looked at.
    #[must_use]
    pub fn list(&self) -> &[Route] {
        &self.list
    }

    /// How often they have changed.
    #[must_use]
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    /// Adds one, or changes the one for the same addresses by the same router and interface; `false` if there are too
    /// many.
    pub fn add(&mut self, route: Route) -> bool {
        let route = Route { destination: route.destination.network(), ..route };
        self.remove(|other| same(other, &route));
        let advertised = |route: &Route| route.origin == Origin::Advertised;
        let refused = advertised(&route) && self.list.iter().filter(|route| advertised(route)).count() >= ADVERTISED;
        if refused || self.list.len() >= ROUTES {
            return false;
        }
        let key = |route: &Route| (Reverse(route.destination.length), route.metric);
        let at = self.list.partition_point(|other| key(other) <= key(&route));
        self.list.insert(at, route);
        self.changes += 1;
        true
    }

    /// Takes out those that `which` says; `true` if there were any.
    pub fn remove(&mut self, mut which: impl FnMut(&Route) -> bool) -> bool {
        let before = self.list.len();
        self.list.retain(|route| !which(route));
        let any = self.list.len() != before;
        self.changes += u64::from(any);
        any
    }

    /// The best one to an address that `usable` agrees to, over `interface` unless it is 0.
    #[must_use]
    pub fn find(&self, to: IpAddr, interface: u32, usable: impl Fn(&Route) -> bool) -> Option<&Route> {
        self.list.iter().find(|route| {
            (interface == 0 || route.interface == interface) && route.destination.contains(to) && usable(route)
        })
    }

    /// When the first one ends.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.list.iter().filter_map(|route| route.expires).min()
    }

    /// Takes out those that have ended.
    pub fn expire(&mut self, now: Instant) {
        self.remove(|route| route.expires.is_some_and(|at| at <= now));
    }
}

fn same(one: &Route, other: &Route) -> bool {
    let key = |route: &Route| (route.destination, route.gateway, route.interface, route.origin);
    key(one) == key(other)
}
