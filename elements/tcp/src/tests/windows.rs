//! The windows: closed and opened, tuned, never silly; urgent data; limits of queues.

use alloc::vec::Vec;
use core::time::Duration;

use packets::{Head, tcp::Flags};

use super::world::*;
use crate::{Error, Handle, Limits, Readiness, WriteFlags};

/// Fills the other side's window.
fn fill(world: &mut World, client: Handle) -> usize {
    let mut written = 0;
    for _ in 0..200 {
        match world.write(0, client, &stream(written, 10_000)) {
            Ok(count) => written += count,
            Err(error) => assert_eq!(error, Error::WouldBlock),
        }
        world.run(millis(5));
    }
    written
}

#[test]
fn a_closed_window_is_probed_at_growing_intervals() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    let written = fill(&mut world, client);
    assert_eq!(world.seen(0, 1).last().unwrap().header.window.get(), 0);
    world.run(Duration::from_secs(100));
    let before = world.log.len();
    world.run(Duration::from_secs(400));
    let probes = world.seen(before, 0);
    assert!(probes.iter().all(|probe| probe.payload.is_empty()), "a number that is known already is enough");
    let gaps: Vec<u64> = probes.windows(2).map(|two| two[1].at.since(two[0].at).as_secs()).collect();
    assert!(gaps.windows(2).all(|two| two[1] >= two[0]) && gaps.last().is_some_and(|gap| *gap >= 100), "{gaps:?}");
    assert!(gaps.iter().all(|gap| *gap <= 120));
    let mut read = 0;
    while read < written {
        read += world.read(1, server).unwrap_or_default().len();
        assert!(world.step(world.now + Duration::from_secs(200)) || read == written, "it goes on: {read}");
    }
}

#[test]
fn a_lost_window_update_is_found_by_a_probe() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    let written = fill(&mut world, client);
    world.drop = |seen, _| seen.from == 1;
    let mut read = world.read(1, server).unwrap().len();
    world.run(millis(20));
    world.drop = |_, _| false;
    while read < written {
        assert!(world.step(world.now + Duration::from_secs(200)), "it stalls");
        read += world.read(1, server).unwrap_or_default().len();
    }
}

#[test]
fn a_slow_reader_gets_no_small_segments() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    fill(&mut world, client);
    let before = world.log.len();
    let mut byte = [0; 100];
    for _ in 0..200 {
        let Side { tcp, wire } = &mut world.sides[1];
        tcp.read(world.now, wire, server, &mut byte).unwrap();
        world.run(millis(5));
    }
    let sizes: Vec<_> = world.seen(before, 0).iter().map(|seen| seen.payload.len()).filter(|size| *size > 0).collect();
    assert!(sizes.len() <= 20_000 / MSS + 1, "{} segments for 20 KB: RFC 9293, 3.8.6.2.2", sizes.len());
    let full = sizes.iter().filter(|size| **size == MSS).count();
    assert!(full + 2 >= sizes.len(), "{sizes:?}");
}

#[test]
fn a_window_never_shrinks() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    let shift = 7;
    for round in 0..60 {
        let _ = world.write(0, client, &stream(0, 9_999));
        world.run(millis(7));
        if round % 3 == 0 {
            let _ = world.read(1, server);
        }
    }
    let mut edge = None;
    for seen in world.seen(0, 1).iter().filter(|seen| !seen.has(Flags::SYN)) {
        let end = seen.header.acknowledgment() + (u32::from(seen.header.window.get()) << shift);
        // A scaled window is told in units, which do not fit each acknowledgment number: RFC 7323, 2.4.
        assert!(edge.is_none_or(|edge: packets::tcp::SequenceNumber| edge.is_before(end + (1 << shift))));
        edge = Some(edge.map_or(end, |edge| edge.later(end)));
    }
}

#[test]
fn the_receive_window_follows_a_fast_reader() {
    let mut world = World::new();
    world.keep_log = false;
    world.delay = millis(50);
    let listener = world.listen(8);
    let client = world.connect();
    world.run(millis(200));
    let server = world.sides[1].tcp.accept(listener).unwrap().0;
    for _ in 0..8_000 {
        let _ = world.write(0, client, &[5; 100_000]);
        world.step(world.now + millis(5));
        let _ = world.read(1, server);
    }
    let info = world.sides[1].tcp.info(server).unwrap();
    assert!(info.receive_limit > 1 << 20, "{} bytes at 100 ms", info.receive_limit);
    assert!(info.receive_limit <= Limits::default().receive_window);
    let sender = world.sides[0].tcp.info(client).unwrap();
    assert!(sender.send_limit > 1 << 20 && sender.send_limit <= Limits::default().send_queue);
}

#[test]
fn a_chosen_limit_holds() {
    let mut world = World::new();
    let listener = world.listen(8);
    world.set(1, listener, |settings| settings.receive_limit = Some(20_000));
    let client = world.connect();
    world.set(0, client, |settings| settings.send_limit = Some(5_000));
    world.run(millis(50));
    let server = world.sides[1].tcp.accept(listener).unwrap().0;
    let piece = 20_000 / 2 / MSS * MSS;
    assert_eq!(world.write(0, client, &[1; 100_000]), Ok(piece), "a piece is begun where there is room");
    assert_eq!(world.write(0, client, &[1; 100_000]), Err(Error::WouldBlock));
    world.events(0);
    for _ in 0..20 {
        let _ = world.write(0, client, &[1; 5_000]);
        world.run(millis(50));
    }
    let held = world.sides[1].tcp.info(server).unwrap().readable;
    assert!((19_000..=20_200).contains(&held), "{held}");
    assert_eq!(world.events(1).iter().filter(|handle| **handle == server).count(), 1, "told once");
}

#[test]
fn who_asks_for_room_is_told_when_there_is_some() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    let room = |world: &mut World| world.room(0, client);
    let first = room(&mut world).unwrap();
    assert_eq!(world.write(0, client, &std::vec![1; first]), Ok(first), "as much as was told");
    let mut all = first;
    while room(&mut world).is_ok() {
        all += world.write(0, client, &[1; 1_000]).unwrap();
    }
    world.events(0);
    let limit = world.sides[0].tcp.info(client).unwrap().send_limit as usize;
    assert!((limit / 2..limit).contains(&all), "a little is left, which is not worth a write: {all} of {limit}");
    assert_eq!(room(&mut world), Err(Error::WouldBlock));
    world.run(millis(200));
    while world.read(1, server).is_ok_and(|bytes| !bytes.is_empty()) {}
    world.run(millis(200));
    assert!(world.events(0).contains(&client), "the writer is told");
    assert!(room(&mut world).is_ok_and(|room| room > first / 2));
    world.close(0, client);
    assert_eq!(room(&mut world), Err(Error::Stale));
}

#[test]
fn a_writer_is_told_when_there_is_room() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    while world.write(0, client, &[1; 10_000]).is_ok() {}
    world.events(0);
    assert!(!world.ready(0, client).contains(Readiness::WRITABLE));
    world.run(millis(6));
    assert_eq!(world.events(0), []);
    for _ in 0..50 {
        let _ = world.read(1, server);
        world.run(millis(5));
    }
    assert_eq!(world.events(0), [client]);
    assert!(world.ready(0, client).contains(Readiness::WRITABLE));
}

#[test]
fn unsent_bytes_may_have_a_low_water() {
    let mut world = World::new();
    let (client, _, _) = world.pair();
    world.set(0, client, |settings| settings.unsent_low_water = Some(10_000));
    world.write(0, client, &[1; 60_000]).unwrap();
    assert!(!world.ready(0, client).contains(Readiness::WRITABLE), "TCP_NOTSENT_LOWAT");
    world.run(millis(100));
    assert!(world.ready(0, client).contains(Readiness::WRITABLE));
}

fn urgent(world: &mut World, handle: Handle, data: &[u8]) {
    let Side { tcp, wire } = &mut world.sides[0];
    tcp.write(world.now, wire, handle, &mut Head::payload(data), WriteFlags::URGENT).unwrap();
    world.flush();
}

#[test]
fn urgent_data_is_one_byte_beside_the_stream() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.write(0, client, b"abc").unwrap();
    world.run(millis(12));
    let before = world.log.len();
    urgent(&mut world, client, b"de!");
    let sent = world.seen(before, 0).pop().unwrap();
    assert!(sent.has(Flags::URG));
    assert_eq!(sent.header.urgent.get(), 3, "behind the byte: RFC 6093, 3.1");
    world.write(0, client, b"fgh").unwrap();
    world.run(millis(60));
    assert!(world.ready(1, server).contains(Readiness::URGENT));
    assert_eq!(world.read(1, server).unwrap(), b"abcde", "a read stops at the mark");
    assert_eq!(world.sides[1].tcp.at_mark(server), Ok(true));
    assert_eq!(world.sides[1].tcp.read_urgent(server, true), Ok(b'!'));
    assert_eq!(world.sides[1].tcp.read_urgent(server, false), Ok(b'!'));
    assert_eq!(world.sides[1].tcp.read_urgent(server, false), Err(Error::NoUrgent), "once");
    assert!(!world.ready(1, server).contains(Readiness::URGENT));
    assert_eq!(world.read(1, server).unwrap(), b"fgh");
}

#[test]
fn urgent_data_in_line_is_of_the_stream() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.set(1, server, |settings| settings.urgent_inline = true);
    world.write(0, client, b"ab").unwrap();
    world.run(millis(12));
    urgent(&mut world, client, b"!");
    world.write(0, client, b"cd").unwrap();
    world.run(millis(60));
    assert_eq!(world.read(1, server).unwrap(), b"ab");
    assert_eq!(world.sides[1].tcp.at_mark(server), Ok(true));
    assert_eq!(world.sides[1].tcp.read_urgent(server, false), Err(Error::NoUrgent));
    assert_eq!(world.read(1, server).unwrap(), b"!cd");
}

#[test]
fn peeking_and_taking_see_the_same_bytes() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.write(0, client, &stream(0, 5_000)).unwrap();
    world.run(millis(50));
    let mut some = [0; 100];
    assert_eq!(world.sides[1].tcp.peek(server, 1_500, &mut some), Ok(100));
    assert_eq!(some.to_vec(), stream(1_500, 100));
    let mut parts = Vec::new();
    let Side { tcp, wire } = &mut world.sides[1];
    assert_eq!(tcp.take(world.now, wire, server, 3_000, &mut parts), Ok(3_000));
    assert_eq!(tcp.take(world.now, wire, server, 9_000, &mut parts), Ok(2_000));
    assert_eq!(parts.concat(), stream(0, 5_000));
    assert_eq!(tcp.memory(), 0);
}

#[test]
fn written_memory_is_shared_and_not_copied() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    let data = bytes::Bytes::from(stream(0, 9_000));
    let Side { tcp, wire } = &mut world.sides[0];
    assert_eq!(tcp.write_bytes(world.now, wire, client, data.clone(), WriteFlags::empty()), Ok(9_000));
    let part = wire.sent[0].packet.parts[0].clone();
    assert_eq!(part.as_ptr(), data.as_ptr(), "the packet has the program's memory");
    world.run(millis(50));
    assert_eq!(world.read(1, server).unwrap(), data);
}
