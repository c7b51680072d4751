//! Nobody else has the address: RFC 4862, 5.4, for IPv6 on Ethernet. What DHCP gives of IPv4 is looked for in
//! `probing`.

use core::net::{IpAddr, Ipv6Addr};

use super::{Ip, time::Duty};
use crate::{
    address::solicited_node,
    icmp::v6,
    interface::{Medium, Standing},
    parts::Parts,
};

impl<P: Parts> Ip<P> {
    /// Whether others are to be asked before an address is used.
    pub(super) fn must_detect(&self, number: u32, address: IpAddr) -> bool {
        self.is_ethernet(number) && address.is_ipv6()
    }

    pub(super) fn is_ethernet(&self, number: u32) -> bool {
        self.interface(number).is_some_and(|found| matches!(found.medium, Medium::Ethernet(_)))
    }

    /// Asks whether somebody has an address. RFC 4862, 5.4.2 waits a random time before, for hosts that start together;
    /// here the interface's reports and solicitations are spread already.
    pub(super) fn detect(&mut self, number: u32, address: Ipv6Addr) {
        let (to, from) = (solicited_node(address), Some(Ipv6Addr::UNSPECIFIED));
        self.say_discovery(number, v6::NEIGHBOUR_SOLICITATION, 0, Some(address), 1, (from, to));
        let wait = self.interface(number).map_or(crate::neighbours::RETRANSMIT, |found| found.retransmit);
        self.duties.set(self.now + wait, Duty::Detected(number, address));
    }

    /// Nobody has answered.
    pub(super) fn detected(&mut self, number: u32, address: Ipv6Addr) {
        let Some(assigned) = self.interface_mut(number).and_then(|found| found.assigned(address.into())) else {
            return;
        };
        if assigned.standing == Standing::Tentative {
            assigned.standing = Standing::Ours;
            self.own(number, address.into());
            self.usable(number, address);
        }
    }

    /// Somebody else asks for an address: `true` if it is one that we are trying, which nobody gets then (RFC 4862,
    /// 5.4.3).
    pub(super) fn somebody_tries(&mut self, number: u32, address: Ipv6Addr) -> bool {
        self.lose(number, address)
    }

    /// Somebody says that an address is its own: `true` if it is one that we are trying (RFC 4862, 5.4.4).
    pub(super) fn somebody_has(&mut self, number: u32, address: Ipv6Addr) -> bool {
        self.lose(number, address)
    }

    fn lose(&mut self, number: u32, address: Ipv6Addr) -> bool {
        let Some(assigned) = self.interface_mut(number).and_then(|found| found.assigned(address.into())) else {
            return false;
        };
        if assigned.standing != Standing::Tentative {
            return assigned.standing == Standing::Duplicate;
        }
        assigned.standing = Standing::Duplicate;
        self.ways.changed();
        self.try_another(number, address);
        true
    }
}
