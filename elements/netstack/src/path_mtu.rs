//! What paths carry: RFC 1191 and RFC 8201.

use core::{net::IpAddr, time::Duration};

use packets::{Instant, ipv6};

use crate::{
    schedule::Schedule,
    secret::{Secret, Table},
};

/// Paths that are remembered; beyond that the one that ends first is forgotten.
pub const PATHS: usize = 1024;
/// How long one is believed: RFC 1191, 6.3 and RFC 8201, 5.3.
pub const AGE: Duration = Duration::from_secs(600);
/// Nobody's word makes packets of IPv4 shorter: Linux' `min_pmtu`. Below, a liar makes us cut everything to pieces.
pub const FLOOR_V4: u16 = 552;
/// Each link carries so much: RFC 8200, 5.
pub const FLOOR_V6: u16 = ipv6::LEAST_MTU as u16;

/// What is known about paths.
#[derive(Debug)]
pub struct PathMtu {
    paths: Table<IpAddr, (u16, Instant)>,
    ends: Schedule<IpAddr>,
    changes: u64,
}

impl PathMtu {
    /// Nothing yet.
    #[must_use]
    pub fn new(secret: &Secret) -> Self {
        Self { paths: secret.table("path mtu"), ends: Schedule::default(), changes: 0 }
    }

    /// The longest packet on the path to an address, its header counted, if less than the link carries is known.
    #[must_use]
    pub fn get(&self, now: Instant, to: IpAddr) -> Option<u16> {
        self.paths.get(&to).filter(|(_, until)| *until > now).map(|(mtu, _)| *mtu)
    }

    /// Believes a message whose quotation was looked at. It never makes a path longer.
    pub fn learn(&mut self, now: Instant, to: IpAddr, mtu: u16) {
        let mtu = mtu.max(if to.is_ipv4() { FLOOR_V4 } else { FLOOR_V6 });
        if self.get(now, to).is_none_or(|known| known > mtu) {
            self.prove(now, to, mtu);
        }
    }

    /// What a transport has found out by itself, longer or shorter than what was known: RFC 4821, 4.
    pub fn prove(&mut self, now: Instant, to: IpAddr, mtu: u16) {
        let mtu = mtu.max(if to.is_ipv4() { FLOOR_V4 } else { FLOOR_V6 });
        self.forget(to);
        if self.paths.len() >= PATHS
            && let Some((_, oldest)) = self.ends.first()
        {
            self.forget(oldest);
        }
        self.paths.insert(to, (mtu, now + AGE));
        self.ends.set(now + AGE, to);
    }

    /// How many are remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// How often anything has changed, but that what is known ends by itself.
    #[must_use]
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    fn forget(&mut self, to: IpAddr) {
        self.changes += 1;
        if let Some((_, until)) = self.paths.remove(&to) {
            self.ends.clear(until, to);
        }
    }
}
