//! What ICMP says, forged and true: RFC 5927, RFC 5461.

use core::time::Duration;

use super::world::*;
use crate::{Error, Handle, State, Told, Unreachable};

/// A connection that has exchanged data, and a segment as its client would send it next.
pub fn victim(world: &mut World) -> (Handle, Handle, Forged) {
    let (client, server, _) = world.pair();
    world.write(0, client, b"hello").unwrap();
    world.run(millis(50));
    world.read(1, server).unwrap();
    (client, server, Forged::after(world, 0))
}

fn tell(world: &mut World, side: usize, forged: &Forged, told: Told) {
    let (own, other) = (ADDRESSES[side].into(), ADDRESSES[1 - side].into());
    let quoted = forged.bytes(own, other);
    let Side { tcp, wire } = &mut world.sides[side];
    tcp.told(world.now, wire, own, other, &quoted[..8], told);
    world.flush();
}

#[test]
fn forged_messages_about_the_path_are_ignored() {
    let mut world = World::new();
    let (client, _, forged) = victim(&mut world);
    tell(&mut world, 0, &forged, Told::TooBig(600));
    assert_eq!(world.sides[0].tcp.info(client).unwrap().send_segment, 1448, "nothing is under way: RFC 5927, 4.1");
    world.drop = |_, _| true;
    world.write(0, client, &stream(0, 3 * MSS)).unwrap();
    tell(&mut world, 0, &Forged { sequence: forged.sequence + 50_000, ..forged.clone() }, Told::TooBig(600));
    assert_eq!(world.sides[0].tcp.info(client).unwrap().send_segment, 1448);
    tell(&mut world, 0, &forged, Told::TooBig(68));
    assert_eq!(world.sides[0].tcp.info(client).unwrap().send_segment, 532 - 32, "no less than 552 bytes of IP");
    tell(&mut world, 0, &forged, Told::TooBig(1400));
    assert_eq!(world.sides[0].tcp.info(client).unwrap().send_segment, 532 - 32, "it never grows by a message");
    assert_eq!(world.sides[0].tcp.statistics().bad_messages, 2);
    for reason in [Unreachable::Port, Unreachable::Protocol, Unreachable::Host, Unreachable::Forbidden] {
        tell(&mut world, 0, &forged, Told::Unreachable(reason));
        assert_eq!(world.sides[0].tcp.info(client).unwrap().state, State::Established, "RFC 5461: soft");
    }
}

#[test]
fn a_port_that_is_unreachable_ends_opening() {
    for (reason, ends) in [(Unreachable::Port, true), (Unreachable::Host, false), (Unreachable::Protocol, true)] {
        let mut world = World::new();
        world.drop = |_, _| true;
        let client = world.connect();
        let syn = Forged { sequence: world.log[0].header.sequence(), ..Forged::after(&world, 0) };
        tell(&mut world, 0, &syn, Told::Unreachable(reason));
        let error = world.sides[0].tcp.take_error(client).unwrap();
        assert_eq!(error.is_some(), ends, "{reason:?}");
        if !ends {
            world.run(Duration::from_secs(300));
            let error = world.sides[0].tcp.take_error(client).unwrap();
            assert_eq!(error, Some(Error::Unreachable(reason)), "it is told at the end");
        }
    }
}
