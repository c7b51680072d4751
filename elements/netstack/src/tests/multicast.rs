//! Datagrams to groups and to everyone.

use std::{vec, vec::Vec};

use packets::Bytes;

use super::world::*;
use crate::{
    Error, Handle,
    udp::{Family, Sending},
};

fn member(host: &mut Host, address: &str, group: &str) -> Handle {
    let address: core::net::SocketAddr = address.parse().unwrap();
    let family = if address.is_ipv4() { Family::V4 } else { Family::V6 };
    let handle = host.stack.udp.open(family).unwrap();
    host.stack.udp.settings_mut(handle).unwrap().reuse_address = true;
    host.stack.udp.bind(&host.stack.ip, handle, address).unwrap();
    if !group.is_empty() {
        host.stack.udp.join(host.now, &mut host.stack.ip, handle, LINK, ip(group)).unwrap();
    }
    handle
}

fn say(host: &mut Host, handle: Handle, to: &str) -> Result<usize, Error> {
    let sending = Sending { to: Some(to.parse().unwrap()), ..Sending::default() };
    let payload = core::iter::once(Bytes::from_static(b"all")).collect();
    host.stack.udp.send(host.now, &mut host.stack.ip, handle, payload, &sending)
}

fn heard(host: &mut Host, handles: &[Handle]) -> Vec<usize> {
    let count = |handle: &Handle| core::iter::from_fn(|| host.stack.udp.receive(*handle).ok()).count();
    handles.iter().map(count).collect()
}

#[test]
fn a_group_is_heard_by_all_who_are_in_it() {
    for (a, any, group, to) in [
        ("10.0.0.1:0", "0.0.0.0:5", "239.1.2.3", "239.1.2.3:5"),
        ("[2001:db8::1]:0", "[::]:5", "ff0e::5", "[ff0e::5]:5"),
    ] {
        let mut one = Host::new(1, &["10.0.0.1/24", "fe80::1/64", "2001:db8::1/64"]);
        let mut other = Host::new(2, &["10.0.0.2/24", "fe80::2/64", "2001:db8::2/64"]);
        let sender = member(&mut one, a, "");
        say(&mut one, sender, to).unwrap();
        run(&mut one, &mut other, SECOND);
        let takers = [member(&mut other, any, group), member(&mut other, any, ""), member(&mut other, to, "")];
        assert_eq!(heard(&mut other, &takers), [0; 3], "nobody was in it");
        say(&mut one, sender, to).unwrap();
        let frame = one.stack.outgoing(LINK).unwrap().last().unwrap().to_vec();
        assert_eq!((frame[0] & 1, frame[if to.starts_with('[') { 21 } else { 22 }]), (1, 1), "one hop");
        run(&mut one, &mut other, SECOND);
        assert_eq!(heard(&mut other, &takers), [1; 3], "as Linux: who is bound to it, member or not");
        other.stack.udp.leave(other.now, &mut other.stack.ip, takers[0], LINK, ip(group)).unwrap();
        say(&mut one, sender, to).unwrap();
        run(&mut one, &mut other, SECOND);
        assert_eq!(heard(&mut other, &takers), [0; 3], "the last one has left");
        let again = other.stack.udp.leave(other.now, &mut other.stack.ip, takers[0], LINK, ip(group));
        assert_eq!(again, Err(Error::NotAvailable));
    }
}

#[test]
fn we_hear_ourselves_if_we_like() {
    let mut one = Host::new(1, &["10.0.0.1/24"]);
    let taker = member(&mut one, "0.0.0.0:5", "239.1.2.3");
    say(&mut one, taker, "239.1.2.3:5").unwrap();
    one.pass(SECOND);
    assert_eq!(heard(&mut one, &[taker]), [1]);
    one.stack.udp.settings_mut(taker).unwrap().group_loop = false;
    say(&mut one, taker, "239.1.2.3:5").unwrap();
    one.pass(SECOND);
    assert_eq!(heard(&mut one, &[taker]), [0]);
    // Closing leaves the group.
    one.stack.udp.close(one.now, &mut one.stack.ip, taker).unwrap();
    assert_eq!(one.stack.ip.groups().count(), 0);
}

#[test]
fn everyone_is_told_with_leave_only() {
    let (mut one, mut other) = (Host::new(1, &["10.0.0.1/24"]), Host::new(2, &["10.0.0.2/24"]));
    let (sender, taker) = (member(&mut one, "10.0.0.1:9", ""), member(&mut other, "0.0.0.0:5", ""));
    for to in ["10.0.0.255:5", "255.255.255.255:5"] {
        one.stack.udp.settings_mut(sender).unwrap().broadcast = false;
        assert_eq!(say(&mut one, sender, to), Err(Error::Forbidden));
        one.stack.udp.settings_mut(sender).unwrap().broadcast = true;
        say(&mut one, sender, to).unwrap();
        assert_eq!(one.stack.outgoing(LINK).unwrap()[0].to_vec()[..6], [0xff; 6]);
        run(&mut one, &mut other, SECOND);
        assert_eq!(heard(&mut other, &[taker]), [1]);
    }
    let mut events = vec![];
    other.stack.udp.take_events(&mut events);
    assert_eq!(events, [taker], "once for all");
}
