//! Requests of rtnetlink that are any bytes, about a network of any addresses: each answer can be read again by the
//! same rules, says whom it is for, and fits a datagram unless it repeats what was asked.
#![no_main]

use std::net::IpAddr;

use libfuzzer_sys::fuzz_target;
use netlink::route::{Facts, answer};
use sockets::{Assigned, Interface, Medium, NAME, Neighbour, Origin, Route, Standing, Traffic};

/// A network whose numbers and addresses are these bytes'.
struct Network<'a>(&'a [u8]);

impl Network<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.0.get(at % self.0.len().max(1)).copied().unwrap_or(0)
    }

    fn address(&self, at: usize) -> IpAddr {
        let bytes: [u8; 16] = core::array::from_fn(|index| self.byte(at + index));
        if bytes[0] & 1 == 0 { IpAddr::from([bytes[1], bytes[2], bytes[3], bytes[4]]) } else { IpAddr::from(bytes) }
    }

    fn count(&self, at: usize) -> usize {
        usize::from(self.byte(at) % 64)
    }
}

impl Facts for Network<'_> {
    fn interfaces(&self) -> Vec<Interface> {
        let medium = |at| match self.byte(at) % 3 {
            0 => Medium::Loopback,
            1 => Medium::Ethernet([self.byte(at + 1); 6]),
            _ => Medium::PointToPoint,
        };
        let one = |at: usize| Interface {
            number: at as u32 + 1,
            name: [self.byte(at) | 1; NAME],
            medium: medium(at),
            mtu: u32::from(self.byte(at)) << 8,
            up: self.byte(at) & 8 == 0,
            traffic: Traffic::default(),
        };
        (0..self.count(0)).map(one).collect()
    }

    fn addresses(&self) -> Vec<Assigned> {
        let one = |at: usize| Assigned {
            interface: u32::from(self.byte(at) % 8),
            address: self.address(at),
            length: self.byte(at + 3),
            standing: [Standing::Ours, Standing::Tentative, Standing::Duplicate][usize::from(self.byte(at) % 3)],
            lasting: self.byte(at) & 4 == 0,
        };
        (0..self.count(1)).map(one).collect()
    }

    fn routes(&self) -> Vec<Route> {
        let one = |at: usize| Route {
            destination: self.address(at),
            length: self.byte(at + 2),
            gateway: (self.byte(at) & 2 == 0).then(|| self.address(at + 5)),
            interface: u32::from(self.byte(at) % 8),
            metric: self.byte(at).into(),
            source: (self.byte(at) & 4 == 0).then(|| self.address(at + 7)),
            origin: [Origin::Connected, Origin::Static, Origin::Dhcp, Origin::Advertised][usize::from(self.byte(at) % 4)],
        };
        (0..self.count(2)).map(one).collect()
    }

    fn neighbours(&self) -> Vec<Neighbour> {
        let one = |at: usize| Neighbour {
            interface: self.byte(at).into(),
            address: self.address(at),
            hardware: (self.byte(at) & 1 == 0).then_some([self.byte(at); 6]),
            reachable: self.byte(at) & 2 == 0,
            router: self.byte(at) & 4 == 0,
        };
        (0..self.count(3)).map(one).collect()
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&[first, facts], rest)) = bytes.split_first_chunk::<2>() else { return };
    let (facts, asked) = rest.split_at(rest.len().min(facts.into()));
    let answers = answer(asked, 9, first & 1 == 0, &Network(facts));
    for datagram in &answers.datagrams {
        let read: Vec<_> = netlink::requests(datagram).collect();
        assert_eq!(read.iter().map(|message| message.bytes.len().next_multiple_of(4)).sum::<usize>(), datagram.len());
        assert!(!read.is_empty() && (datagram.len() <= netlink::DATAGRAM || read.len() == 1));
        for message in read {
            assert_eq!(message.bytes[12..16], 9_u32.to_ne_bytes());
            assert!(netlink::requests(asked).any(|request| request.sequence == message.sequence));
        }
    }
});
