//! Acknowledgments that come at one moment, and a device that cuts packets: windows must not fall apart into small
//! ones.

use core::time::Duration;

use packets::tcp::Flags;

use super::world::{ADDRESSES, Forged, MSS, PORT, World, millis, stream};
use crate::{Cubic, Limits};

/// Packets that leave when acknowledgments of two segments each have come for the whole first window.
fn answers(gathers: bool) -> usize {
    let mut world = World::new();
    let (client, _, _) = world.pair();
    let before = world.log.len();
    world.write(0, client, &stream(0, 60 * MSS)).unwrap();
    let first = world.seen(before, 0)[0].header.sequence();
    let mut ack = Forged::after(&world, 1);
    assert_eq!((ack.flags, ack.ports.0), (Flags::ACK, PORT));
    if gathers {
        world.sides[0].tcp.gather();
    }
    for count in 1..=5 {
        ack.acknowledgment = first + 2 * count * MSS as u32;
        let bytes = ack.bytes(ADDRESSES[1].into(), ADDRESSES[0].into());
        world.deliver(0, bytes, 0);
    }
    let now = world.now;
    let side = &mut world.sides[0];
    assert!(!gathers || side.wire.sent.is_empty(), "it waits for all that have come");
    side.tcp.gathered(now, &mut side.wire);
    let segments: usize = side.wire.sent.iter().map(|sent| sent.packet.len() / MSS).sum();
    assert_eq!(segments, 20, "slow start: two segments for each that has arrived");
    side.wire.sent.len()
}

#[test]
fn acknowledgments_of_one_moment_let_few_packets_go() {
    assert_eq!((answers(false), answers(true)), (5, 2), "half a window each at most");
}

/// The segments of a stream's packets, on average, where a hundredth of the packets is lost whole.
fn lossy(seed: u64, gathers: bool) -> usize {
    const LENGTH: usize = 20_000_000;
    let mut world = World::<Cubic>::with(seed, Limits::default());
    (world.keep_log, world.gathers, world.delay) = (false, gathers, millis(1));
    let (client, server, _) = world.pair();
    world.faults.packets = 10;
    let (begin, mut written, mut read) = (world.now, 0, 0);
    let data = stream(0, 1 << 16);
    while read < LENGTH {
        while let Ok(count) = world.write(0, client, &data) {
            written += count;
        }
        assert!(world.step(begin + Duration::from_secs(1000)), "{written} written, {read} read");
        read += world.read(1, server).map_or(0, |data| data.len());
    }
    read / MSS / world.packets
}

#[test]
fn windows_stay_whole_where_packets_are_lost() {
    for seed in 1..=5 {
        let (alone, together) = (lossy(seed, false), lossy(seed, true));
        assert!(together >= 2 * alone, "seed {seed}: {together} segments a packet, and {alone} one by one");
    }
}
