//! Requests of real programs, and of nobody's.

use alloc::vec::Vec;
use core::net::IpAddr;
use std::{string::String, vec};

use sockets::{Assigned, Interface, Medium, NAME, Neighbour, Origin, Route, Standing, Traffic};

use crate::{
    DATAGRAM, Request, attributes, error, flag, kind, requests,
    route::{Facts, answer, kinds},
};

/// A loop, and one on Ethernet behind a router.
struct Two(usize);

fn interface(number: u32, text: &str, medium: Medium) -> Interface {
    let mut name = [0; NAME];
    name[..text.len()].copy_from_slice(text.as_bytes());
    let traffic = Traffic { received_packets: 7, ..Traffic::default() };
    Interface { number, name, medium, mtu: 1500, up: true, traffic }
}

fn assigned(interface: u32, address: &str, length: u8) -> Assigned {
    Assigned { interface, address: ip(address), length, standing: Standing::Ours, lasting: true }
}

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

impl Facts for Two {
    fn interfaces(&self) -> Vec<Interface> {
        let more = (3..).take(self.0).map(|number| interface(number, "more", Medium::PointToPoint));
        let two = [interface(1, "lo", Medium::Loopback), interface(2, "eth0", Medium::Ethernet([2, 0, 0, 0, 0, 1]))];
        two.into_iter().chain(more).collect()
    }

    fn addresses(&self) -> Vec<Assigned> {
        vec![assigned(1, "127.0.0.1", 8), assigned(1, "::1", 128), assigned(2, "10.0.2.15", 24)]
    }

    fn routes(&self) -> Vec<Route> {
        let link = Route {
            destination: ip("10.0.2.0"),
            length: 24,
            gateway: None,
            interface: 2,
            metric: 0,
            source: None,
            origin: Origin::Connected,
        };
        let all = Route {
            destination: ip("0.0.0.0"),
            length: 0,
            gateway: Some(ip("10.0.2.2")),
            origin: Origin::Static,
            ..link
        };
        vec![link, all]
    }

    fn neighbours(&self) -> Vec<Neighbour> {
        let hardware = Some([2, 0, 0, 0, 0, 2]);
        vec![Neighbour { interface: 2, address: ip("10.0.2.2"), hardware, reachable: true, router: false }]
    }
}

fn request(kind: u16, flags: u16, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::from((16 + payload.len() as u32).to_ne_bytes());
    bytes.extend(kind.to_ne_bytes());
    bytes.extend((flags | flag::REQUEST).to_ne_bytes());
    bytes.extend(5_u32.to_ne_bytes());
    bytes.extend([0; 4]);
    bytes.extend(payload);
    bytes
}

/// Answers as kinds, flags and what is behind their headers.
fn answers(bytes: &[u8]) -> Vec<(u16, u16, Vec<u8>)> {
    let datagrams = answer(bytes, 77, false, &Two(0)).datagrams;
    let told = |request: Request<'_>| {
        assert_eq!((request.sequence, &request.bytes[12..16]), (5, &77_u32.to_ne_bytes()[..]));
        (request.kind, request.flags, request.payload().to_vec())
    };
    datagrams.iter().flat_map(|datagram| requests(datagram).map(told).collect::<Vec<_>>()).collect()
}

fn attribute(payload: &[u8], header: usize, wanted: u16) -> Option<Vec<u8>> {
    attributes(&payload[header..]).find(|&(kind, _)| kind == wanted).map(|(_, content)| content.to_vec())
}

fn failed(kind: u16, flags: u16, payload: &[u8]) -> i32 {
    let all = answers(&request(kind, flags, payload));
    assert_eq!((all.len(), all[0].0), (1, kind::ERROR));
    -i32::from_ne_bytes(*all[0].2.first_chunk().unwrap())
}

#[test]
fn interfaces_are_listed_with_an_end() {
    let all = answers(&request(kinds::GET_LINK, flag::DUMP, &[0; 4]));
    let names: Vec<String> = all[..2]
        .iter()
        .map(|(kind, flags, payload)| {
            assert_eq!((*kind, *flags), (kinds::NEW_LINK, flag::MULTI));
            String::from_utf8(attribute(payload, 16, 3).unwrap()).unwrap()
        })
        .collect();
    assert_eq!(names, ["lo\0", "eth0\0"]);
    assert_eq!((all.len(), all[2].0, &all[2].2[..]), (3, kind::DONE, &[0; 4][..]));
    assert_eq!(attribute(&all[1].2, 16, 1).unwrap(), [2, 0, 0, 0, 0, 1]);
    assert_eq!(attribute(&all[1].2, 16, 23).unwrap()[..8], 7_u64.to_ne_bytes());
}

#[test]
fn one_interface_is_found_by_number_and_by_name() {
    let by_number = [&[0; 4][..], &2_u32.to_ne_bytes(), &[0; 8]].concat();
    let by_name = [&[0; 16][..], &9_u16.to_ne_bytes(), &3_u16.to_ne_bytes(), b"eth0\0\0\0\0"].concat();
    for wanted in [by_number, by_name] {
        let all = answers(&request(kinds::GET_LINK, 0, &wanted));
        assert_eq!((all.len(), all[0].1), (1, 0));
        assert_eq!(attribute(&all[0].2, 16, 3).unwrap(), b"eth0\0");
    }
    assert_eq!(failed(kinds::GET_LINK, 0, &[&[0; 4][..], &9_u32.to_ne_bytes(), &[0; 8]].concat()), error::NO_DEVICE);
    assert_eq!(failed(kinds::GET_LINK, 0, &[0; 16]), error::INVALID);
}

#[test]
fn addresses_are_of_the_family_that_is_asked_for() {
    let of = |family: u8| answers(&request(kinds::GET_ADDRESS, flag::DUMP, &[family, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!([of(0).len(), of(2).len(), of(10).len()], [4, 3, 2]);
    let (_, _, ethernet) = &of(2)[1];
    assert_eq!(ethernet[..4], [2, 24, 0x80, 0]);
    assert_eq!(attribute(ethernet, 8, 4).unwrap(), [10, 0, 2, 255]);
    assert_eq!(attribute(ethernet, 8, 3).unwrap(), b"eth0\0");
    let strict = answer(&request(kinds::GET_ADDRESS, flag::DUMP, &[0, 0, 0, 0, 2, 0, 0, 0]), 77, true, &Two(0));
    assert_eq!(requests(&strict.datagrams[0]).count(), 2);
}

#[test]
fn routes_are_listed_and_found() {
    let all = answers(&request(kinds::GET_ROUTE, flag::DUMP, &[2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(all.len(), 2 + 2 + 1);
    assert_eq!(attribute(&all[0].2, 12, 7).unwrap(), [10, 0, 2, 15]);
    assert_eq!(attribute(&all[1].2, 12, 5).unwrap(), [10, 0, 2, 2]);
    let to = |address: [u8; 4]| {
        request(kinds::GET_ROUTE, 0, &[&[2, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 1, 0][..], &address].concat())
    };
    let far = &answers(&to([8, 8, 8, 8]))[0].2;
    assert_eq!((attribute(far, 12, 1).unwrap(), attribute(far, 12, 5).unwrap()), (vec![8; 4], vec![10, 0, 2, 2]));
    let own = &answers(&to([10, 0, 2, 15]))[0].2;
    assert_eq!((own[7], attribute(own, 12, 4).unwrap()), (2, vec![1, 0, 0, 0]), "local, by the loop");
}

#[test]
fn neighbours_are_listed() {
    let all = answers(&request(kinds::GET_NEIGHBOUR, flag::DUMP, &[0; 12]));
    assert_eq!((all.len(), attribute(&all[0].2, 12, 2).unwrap()), (2, vec![2, 0, 0, 0, 0, 2]));
}

#[test]
fn what_would_change_something_is_refused() {
    assert_eq!(failed(kinds::NEW_LINK, 0, &[0; 16]), error::PERMISSION);
    assert_eq!(failed(38, flag::DUMP, &[0; 20]), error::UNSUPPORTED);
    assert_eq!(failed(kinds::GET_LINK, flag::DUMP, &[]), error::INVALID);
}

#[test]
fn what_is_no_request_is_not_answered() {
    let mut bytes = request(kinds::GET_LINK, 0, &[0; 16]);
    bytes[6] = 0;
    assert!(answer(&bytes, 1, false, &Two(0)).datagrams.is_empty());
    assert!(answer(&bytes[..15], 1, false, &Two(0)).datagrams.is_empty());
    assert!(answer(&[0; 64], 1, false, &Two(0)).datagrams.is_empty(), "a length below the header's");
}

#[test]
fn long_lists_are_several_datagrams() {
    let datagrams = answer(&request(kinds::GET_LINK, flag::DUMP, &[0; 4]), 1, false, &Two(100)).datagrams;
    assert!(datagrams.len() > 5 && datagrams.iter().all(|datagram| datagram.len() <= DATAGRAM));
    assert_eq!(datagrams.iter().map(|datagram| requests(datagram).count()).sum::<usize>(), 103);
}
