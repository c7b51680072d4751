//! Our addresses that can be used, and the interfaces that have them.
//!
//! Each packet is looked up here, by where it comes from and where it goes to. Interfaces bound how many there are, and
//! nobody outside chooses them freely; so these are lists in order, and no hash is needed.

use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr};

use smallvec::SmallVec;

/// The interfaces that have an address.
type Owners = SmallVec<[u32; 2]>;

/// Addresses of both families, each list in the order of their bits.
#[derive(Debug, Default)]
pub struct Own {
    v4: Vec<(u32, Owners)>,
    v6: Vec<(u128, Owners)>,
}

fn find<K: Ord + Copy>(list: &[(K, Owners)], key: K) -> Option<&Owners> {
    list.binary_search_by_key(&key, |entry| entry.0).ok().map(|at| &list[at].1)
}

fn add<K: Ord + Copy>(list: &mut Vec<(K, Owners)>, key: K, owner: u32) {
    let at = list.binary_search_by_key(&key, |entry| entry.0).unwrap_or_else(|at| {
        list.insert(at, (key, Owners::new()));
        at
    });
    list[at].1.push(owner);
}

fn remove<K: Ord + Copy>(list: &mut Vec<(K, Owners)>, key: K, owner: u32) {
    let Ok(at) = list.binary_search_by_key(&key, |entry| entry.0) else { return };
    list[at].1.retain(|other| *other != owner);
    if list[at].1.is_empty() {
        list.remove(at);
    }
}

impl Own {
    /// The interfaces that have an address; none of them: it is not ours.
    pub fn owners(&self, address: IpAddr) -> &[u32] {
        match address {
            IpAddr::V4(address) => find(&self.v4, address.to_bits()),
            IpAddr::V6(address) => find(&self.v6, address.to_bits()),
        }
        .map_or(&[], |owners| owners)
    }

    /// Whether an address of IPv4 is ours.
    #[inline]
    pub fn has_v4(&self, address: Ipv4Addr) -> bool {
        find(&self.v4, address.to_bits()).is_some()
    }

    /// An interface has an address.
    pub fn add(&mut self, address: IpAddr, owner: u32) {
        match address {
            IpAddr::V4(address) => add(&mut self.v4, address.to_bits(), owner),
            IpAddr::V6(address) => add(&mut self.v6, address.to_bits(), owner),
        }
    }

    /// It has it no more.
    pub fn remove(&mut self, address: IpAddr, owner: u32) {
        match address {
            IpAddr::V4(address) => remove(&mut self.v4, address.to_bits(), owner),
            IpAddr::V6(address) => remove(&mut self.v6, address.to_bits(), owner),
        }
    }
}
