//! What programs ask for beyond streams: moments, a pace, lent memory, a fast open; and a machine that has no room.

use alloc::vec::Vec;
use core::{net::SocketAddr, time::Duration};

use bytes::Bytes;
use packets::tcp::{Cookie, Flags, Options};

use super::{forged::Forged, world::*};
use crate::{Error, Handle, Moments, Stamp, WriteFlags};

fn stamps(world: &mut World, socket: Handle) -> Vec<Stamp> {
    core::iter::from_fn(|| world.sides[0].tcp.take_stamp(socket).unwrap()).collect()
}

#[test]
fn moments_of_the_last_byte_of_each_write_are_told() {
    let mut world = World::new();
    let (client, _, _) = world.pair();
    world.write(0, client, &[0; 10]).unwrap();
    world.run(millis(100));
    assert_eq!(stamps(&mut world, client), [], "nobody asked");
    world.set(0, client, |settings| settings.moments = Moments::SENT | Moments::ACKNOWLEDGED);
    let begin = world.now;
    world.write(0, client, &stream(0, 100)).unwrap();
    world.write(0, client, &stream(0, MSS)).unwrap();
    world.run(millis(100));
    assert!(world.ready(0, client).contains(crate::Readiness::ERROR), "there is something to take");
    let told: Vec<_> = stamps(&mut world, client).iter().map(|stamp| (stamp.moment, stamp.byte)).collect();
    let (sent, acknowledged) = (Moments::SENT, Moments::ACKNOWLEDGED);
    let last = 100 + MSS as u32 - 1;
    assert_eq!(told, [(sent, 99), (sent, last), (acknowledged, 99), (acknowledged, last)]);
    assert!(!world.ready(0, client).contains(crate::Readiness::ERROR));
    assert!(world.now.since(begin) >= millis(100));
}

#[test]
fn packets_leave_at_the_pace_of_the_window() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.set(0, client, |settings| settings.pacing = Some(100_000));
    let before = world.log.len();
    world.write(0, client, &stream(0, 20 * MSS)).unwrap();
    assert_eq!(world.seen(before, 0).iter().filter(|seen| !seen.payload.is_empty()).count(), 10, "the first ten go");
    let begin = world.now;
    while world.read(1, server).is_ok_and(|bytes| !bytes.is_empty()) || world.now.since(begin) < millis(400) {
        world.run(millis(5));
    }
    let moments: Vec<_> = world.seen(before, 0).iter().filter(|seen| !seen.payload.is_empty()).map(|s| s.at).collect();
    assert_eq!(moments.len(), 20);
    let span = moments[19].since(moments[10]);
    // Nine packets of at most two segments at 100 kB/s, of which the first may come early.
    assert!(span >= millis(14 * 7), "{span:?}");
}

#[test]
fn a_packet_has_few_stretches_of_lent_memory() {
    let mut world = World::new();
    let (client, _, _) = world.pair();
    world.set(0, client, |settings| settings.no_delay = true);
    let before = world.log.len();
    let Side { tcp, wire } = &mut world.sides[0];
    for number in 0..20 {
        let more = if number < 19 { WriteFlags::MORE } else { WriteFlags::empty() };
        let byte = Bytes::copy_from_slice(&[number]);
        tcp.write_bytes(world.now, wire, client, byte, WriteFlags::LENT | more).unwrap();
    }
    world.flush();
    let seen = world.seen(before, 0);
    assert_eq!(seen.iter().map(|seen| seen.payload.len()).collect::<Vec<_>>(), [17, 3]);
    assert!(seen.iter().all(|seen| seen.has(Flags::PSH)));
}

#[test]
fn what_the_machine_has_no_room_for_goes_later_and_counts_for_nothing() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.sides[0].wire.refuses = true;
    world.write(0, client, &stream(0, 2 * MSS)).unwrap();
    world.run(millis(900));
    let info = world.sides[0].tcp.info(client).unwrap();
    assert_eq!((info.unacknowledged, info.backoff, info.unsent), (0, 0, 2 * MSS as u32));
    assert!(info.probes > 0, "it has been tried again");
    world.sides[0].wire.refuses = false;
    world.run(millis(600));
    assert_eq!(world.read(1, server).unwrap(), stream(0, 2 * MSS));
    assert_eq!(world.sides[0].tcp.statistics().segments_retransmitted, 0);
}

#[test]
fn a_connection_nobody_can_send_for_ends_when_its_program_is_out_of_patience() {
    let mut world = World::new();
    let (client, _, _) = world.pair();
    world.set(0, client, |settings| settings.user_timeout = Some(Duration::from_secs(3)));
    world.sides[0].wire.refuses = true;
    world.write(0, client, &[1]).unwrap();
    world.run(Duration::from_secs(5));
    assert_eq!(world.write(0, client, &[1]), Err(Error::TimedOut));
}

/// Connects with data, and gives the SYN.
fn open_with(world: &mut World, data: &[u8]) -> (Handle, Result<usize, Error>, Seen) {
    let before = world.log.len();
    let Side { tcp, wire } = &mut world.sides[0];
    let handle = tcp.open(crate::Family::V4).unwrap();
    let result = tcp.connect_with(world.now, wire, handle, SocketAddr::new(ADDRESSES[1].into(), PORT), data);
    world.flush();
    (handle, result, world.seen(before, 0)[0].clone())
}

/// What a server that speaks fast open answers.
fn answer(world: &mut World, syn: &Seen, taken: u32, cookie: Option<Cookie>) {
    let forged = Forged::syn(PORT, 77);
    world.forge(
        0,
        &Forged {
            ports: (PORT, syn.header.source.get()),
            acknowledgment: syn.header.sequence() + 1 + taken,
            flags: Flags::SYN | Flags::ACK,
            options: Options { cookie, ..forged.options },
            ..forged
        },
    );
}

#[test]
fn a_known_cookie_has_data_go_with_the_syn() {
    let mut world = World::new();
    world.drop = |seen, _| seen.from == 0;
    let (_, result, syn) = open_with(&mut world, b"hello");
    assert_eq!((result, syn.payload.len()), (Err(Error::InProgress), 0), "it asks for a cookie first");
    assert_eq!(syn.options.cookie, Cookie::of(b""));
    answer(&mut world, &syn, 0, Cookie::of(b"biscuits"));
    let (taken, result, syn) = open_with(&mut world, b"hello");
    assert_eq!((result, &syn.payload[..], syn.options.cookie), (Ok(5), &b"hello"[..], Cookie::of(b"biscuits")));
    answer(&mut world, &syn, 5, None);
    let info = world.sides[0].tcp.info(taken).unwrap();
    assert_eq!((info.bytes_acknowledged, info.unsent), (5, 0));
    let (refused, _, syn) = open_with(&mut world, b"hello");
    let before = world.log.len();
    answer(&mut world, &syn, 0, None);
    assert_eq!(world.seen(before, 0)[0].payload, b"hello", "what the server did not take goes again");
    assert_eq!(world.sides[0].tcp.info(refused).unwrap().unacknowledged, 1);
}

#[test]
fn a_syn_that_is_repeated_is_an_ordinary_one() {
    let mut world = World::new();
    world.drop = |seen, _| seen.from == 0;
    let (_, _, syn) = open_with(&mut world, b"hello");
    answer(&mut world, &syn, 0, Cookie::of(b"biscuits"));
    let before = world.log.len();
    let _ = open_with(&mut world, b"hello");
    world.run(Duration::from_millis(1_100));
    let seen = world.seen(before, 0);
    assert_eq!((seen[0].payload.len(), seen[1].payload.len(), seen[1].options.cookie), (5, 0, None));
}
