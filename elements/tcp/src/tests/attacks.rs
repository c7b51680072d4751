//! What hostile machines send: each row of the network's table of attacks that is TCP's.

use alloc::{collections::BTreeSet, vec::Vec};
use core::{net::SocketAddr, time::Duration};

use packets::tcp::{Flags, Options, SackBlocks, SequenceNumber, Timestamps};

use super::{messages::victim, world::*};
use crate::{Error, Family, Handle, Limits, State};

fn state(world: &World, handle: Handle) -> State {
    world.sides[1].tcp.info(handle).unwrap().state
}

#[test]
fn a_flood_of_syns_ends_in_cookies_and_others_are_served() {
    let mut world = World::new();
    world.keep_log = false;
    let listener = world.listen(128);
    for number in 0..100_000_u32 {
        let mut syn = Forged::syn((1024 + number % 30_000) as u16, number.wrapping_mul(7919));
        syn.options.timestamps = (number % 2 == 0).then_some(Timestamps { value: number, echo: 0 });
        let bytes = syn.bytes(ADDRESSES[0].into(), ADDRESSES[1].into());
        world.deliver(1, bytes, 0);
        world.sides[1].wire.sent.clear();
    }
    assert_eq!(world.sides[1].tcp.counts().half_open, 256);
    assert_eq!(world.sides[1].tcp.memory(), 0);
    assert!(world.sides[1].tcp.statistics().cookies_sent > 98_000);
    let client = world.connect();
    world.run(millis(100));
    let (server, _) = world.sides[1].tcp.accept(listener).unwrap();
    let info = world.sides[1].tcp.info(server).unwrap();
    assert_eq!(world.sides[1].tcp.statistics().cookies_accepted, 1);
    assert_eq!((info.send_segment, info.window_shifts), (1448, Some((7, 7))), "the cookie remembers");
    assert!(info.selective && info.timestamps);
    world.write(0, client, &stream(0, 50_000)).unwrap();
    world.run(millis(200));
    assert_eq!(world.read(1, server).unwrap(), stream(0, 50_000));
    world.run(Duration::from_secs(100));
    assert_eq!(world.sides[1].tcp.counts().half_open, 0, "the rest is forgotten");
}

#[test]
fn a_cookie_without_timestamps_remembers_the_segment_size() {
    let mut world = World::<crate::Cubic>::with(1, Limits { half_open: 0, ..Limits::default() });
    let listener = world.listen(128);
    world.drop = |_, _| true;
    for (offered, expected) in [(1460, 1460), (1459, 1440), (1000, 536), (536, 536), (9000, 8960)] {
        let mut syn = Forged::syn(2000 + offered, 77);
        syn.options = Options { segment_size: Some(offered), window_scale: Some(7), ..Options::default() };
        world.sides[1].wire.payload = 9000;
        world.forge(1, &syn);
        let answer = world.log.last().unwrap().clone();
        assert_eq!(answer.options.window_scale, None, "nothing would remember it");
        let acknowledgment = answer.header.sequence() + 1;
        let ack = Forged { flags: Flags::ACK, sequence: syn.sequence + 1, acknowledgment, ..syn };
        world.forge(1, &ack);
        let (server, _) = world.sides[1].tcp.accept(listener).unwrap();
        assert_eq!(world.sides[1].tcp.info(server).unwrap().send_segment, expected);
    }
}

#[test]
fn guessed_and_old_cookies_are_refused() {
    let mut world = World::<crate::Cubic>::with(1, Limits { half_open: 0, ..Limits::default() });
    let listener = world.listen(128);
    world.drop = |_, _| true;
    let syn = Forged::syn(2000, 77);
    world.forge(1, &syn);
    let good = world.log.last().unwrap().header.sequence() + 1;
    let ack = Forged { flags: Flags::ACK, sequence: syn.sequence + 1, acknowledgment: good, ..syn.clone() };
    for guess in 1..2_000 {
        world.forge(1, &Forged { acknowledgment: good + guess, ..ack.clone() });
    }
    world.forge(1, &Forged { sequence: ack.sequence + 1, ..ack.clone() });
    world.forge(1, &Forged { ports: (2001, PORT), ..ack.clone() });
    assert_eq!(world.sides[1].tcp.accept(listener), Err(Error::WouldBlock));
    assert!(world.log.last().unwrap().has(Flags::RST));
    world.run(Duration::from_secs(129));
    world.forge(1, &syn);
    world.forge(1, &ack);
    assert_eq!(world.sides[1].tcp.accept(listener), Err(Error::WouldBlock), "two minutes old");
}

#[test]
fn a_reset_must_have_the_exact_number() {
    for (offset, ends, answers) in [(0, true, 0), (1, false, 1), (60_000, false, 1), (70_000, false, 0)] {
        let mut world = World::new();
        let (_, server, forged) = victim(&mut world);
        let before = world.log.len();
        world.forge(1, &Forged { flags: Flags::RST, sequence: forged.sequence + offset, ..forged.clone() });
        assert_eq!(state(&world, server) == State::Closed, ends, "offset {offset}: RFC 5961, 3.2");
        assert_eq!(world.seen(before, 1).len(), answers, "offset {offset}");
        world.forge(1, &Forged { flags: Flags::RST, sequence: forged.sequence - 1, ..forged });
        assert_eq!(world.seen(before, 1).len(), answers, "before the window: silence");
    }
}

#[test]
fn a_syn_in_a_connection_is_challenged() {
    for offset in [0, 5_000, 1 << 30] {
        let mut world = World::new();
        let (_, server, forged) = victim(&mut world);
        let before = world.log.len();
        world.forge(1, &Forged { flags: Flags::SYN, sequence: forged.sequence + offset, ..forged });
        assert_eq!(state(&world, server), State::Established, "RFC 5961, 4");
        let answers = world.seen(before, 1);
        assert_eq!(answers.len(), 1);
        assert_eq!(answers[0].flags(), Flags::ACK);
    }
}

#[test]
fn data_with_an_impossible_acknowledgment_is_dropped() {
    for offset in [1_i64, 1 << 20, -(1 << 26)] {
        let mut world = World::new();
        let (_, server, mut forged) = victim(&mut world);
        forged.acknowledgment = SequenceNumber(forged.acknowledgment.0.wrapping_add(offset as u32));
        forged.payload = b"evil".to_vec();
        let before = world.log.len();
        world.forge(1, &forged);
        assert_eq!(world.read(1, server), Err(Error::WouldBlock), "offset {offset}: RFC 5961, 5");
        // What was never sent is dropped in silence, as Linux does; what is too old is challenged.
        assert_eq!(world.seen(before, 1).len(), usize::from(offset < 0));
    }
}

#[test]
fn challenges_are_few_and_their_number_cannot_be_guessed() {
    let mut budgets = BTreeSet::new();
    for seed in 1..40 {
        let mut world = World::<crate::Cubic>::with(seed, Limits::default());
        let (_, _, forged) = victim(&mut world);
        let before = world.log.len();
        for _ in 0..100 {
            world.forge(1, &Forged { flags: Flags::RST, sequence: forged.sequence + 1, ..forged.clone() });
        }
        let first = world.seen(before, 1).len();
        assert!((5..15).contains(&first), "{first}");
        budgets.insert(first);
        world.run(Duration::from_secs(1));
        let before = world.log.len();
        world.forge(1, &Forged { flags: Flags::RST, sequence: forged.sequence + 1, ..forged.clone() });
        assert_eq!(world.seen(before, 1).len(), 1, "a second later there is a new budget");
    }
    assert!(budgets.len() > 5, "{budgets:?}: CVE-2016-5696");
}

#[test]
fn two_stacks_that_disagree_do_not_answer_each_other_for_ever() {
    let mut world = World::new();
    let (_, _, forged) = victim(&mut world);
    let before = world.log.len();
    for _ in 0..100 {
        world.forge(1, &Forged { sequence: forged.sequence + (1 << 30), ..forged.clone() });
    }
    assert_eq!(world.seen(before, 1).len(), 1, "one answer in half a second");
}

#[test]
fn acknowledging_in_small_parts_grows_no_window() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    let _ = client;
    world.drop = |_, _| true;
    let forged = Forged::after(&world, 0);
    world.write(1, server, &stream(0, 10 * MSS)).unwrap();
    for part in 1..=100_u32 {
        world.forge(1, &Forged { acknowledgment: forged.acknowledgment + part * MSS as u32 / 50, ..forged.clone() });
    }
    let window = world.sides[1].tcp.info(server).unwrap().congestion_window;
    assert!(window <= 12, "{window}: a hundred acknowledgments of two segments (RFC 3465)");
}

#[test]
fn what_was_not_sent_cannot_be_acknowledged() {
    let mut world = World::new();
    let (_, server, _) = world.pair();
    world.drop = |_, _| true;
    let mut forged = Forged::after(&world, 0);
    world.write(1, server, &stream(0, 10 * MSS)).unwrap();
    let before = world.sides[1].tcp.info(server).unwrap();
    forged.acknowledgment += 10 * MSS as u32 + 1;
    let mut blocks = SackBlocks::default();
    blocks.push(forged.acknowledgment + 5_000, forged.acknowledgment + 9_000);
    blocks.push(forged.acknowledgment - 3, forged.acknowledgment - 9_000);
    forged.options.sack = blocks;
    world.forge(1, &forged);
    forged.acknowledgment = forged.acknowledgment - 10 * MSS as u32 - 1;
    world.forge(1, &forged);
    let after = world.sides[1].tcp.info(server).unwrap();
    assert_eq!(after.congestion_window, before.congestion_window, "an optimistic acknowledgment is none");
    assert_eq!((after.unacknowledged, after.selectively_acknowledged), (10, 0));
}

#[test]
fn ranges_far_apart_are_bounded() {
    let mut world = World::new();
    let (_, server, forged) = victim(&mut world);
    world.keep_log = false;
    for number in 0..20_000_u32 {
        let sequence = forged.sequence + 2 + (number * 7919) % 60_000;
        world.forge(1, &Forged { sequence, payload: [7].to_vec(), ..forged.clone() });
    }
    let held = world.sides[1].tcp.memory();
    assert!(held <= 200, "{held} bytes in at most 64 ranges");
    // The stream goes on nevertheless.
    world.forge(1, &Forged { payload: stream(0, 1_000), ..forged });
    assert!(world.read(1, server).unwrap().len() >= 1_000);
}

#[test]
fn single_bytes_do_not_hold_buffers() {
    std::thread_local!(static HELD: core::cell::Cell<usize> = const { core::cell::Cell::new(0) });
    struct Counted([u8; 2048]);
    impl AsRef<[u8]> for Counted {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }
    impl Drop for Counted {
        fn drop(&mut self) {
            HELD.with(|held| held.set(held.get() - 1));
        }
    }
    let buffer = |length: usize| {
        HELD.with(|held| held.set(held.get() + 1));
        bytes::Bytes::from_owner(Counted([1; 2048])).slice(..length)
    };
    let held = || HELD.with(core::cell::Cell::get);
    let mut queue = crate::receive::Queue::default();
    (0..10_000).for_each(|_| queue.push(buffer(1)));
    assert_eq!(held(), 0, "they were copied");
    queue.push(buffer(256));
    assert_eq!(held(), 1, "a long one is kept as it came");
    queue.skip(10_256);
    assert_eq!(held(), 0);
}

#[test]
fn the_smallest_segments_do_not_make_many_records() {
    let mut world = World::new();
    let listener = world.listen(8);
    world.drop = |_, _| true;
    world.keep_log = false;
    let mut syn = Forged::syn(999, 77);
    syn.options = Options { segment_size: Some(1), sack_permitted: true, ..Options::default() };
    world.keep_log = true;
    world.forge(1, &syn);
    let first = world.log.last().unwrap().header.sequence() + 1;
    let mut ack = Forged { flags: Flags::ACK, sequence: syn.sequence + 1, acknowledgment: first, ..syn };
    world.forge(1, &ack);
    let server = world.sides[1].tcp.accept(listener).unwrap().0;
    assert_eq!(world.sides[1].tcp.info(server).unwrap().send_segment, 48, "no smaller than that: CVE-2019-11479");
    world.write(1, server, &stream(0, 60_000)).unwrap();
    // Every other byte is told: none of them is a segment (CVE-2019-11477).
    for at in (0..480).step_by(8) {
        let mut blocks = SackBlocks::default();
        for block in 0..4 {
            blocks.push(first + at + 2 * block + 1, first + at + 2 * block + 2);
        }
        ack.options = Options { sack: blocks, ..Options::default() };
        world.forge(1, &ack);
    }
    let info = world.sides[1].tcp.info(server).unwrap();
    assert_eq!((info.selectively_acknowledged, info.unacknowledged), (0, 10));
}

#[test]
fn closed_windows_do_not_hold_memory_for_ever() {
    let mut world = World::<crate::Cubic>::with(1, Limits { memory: 1 << 20, ..Limits::default() });
    world.keep_log = false;
    let listener = world.listen(1000);
    let clients: Vec<_> = (0..40).map(|_| world.connect()).collect();
    world.run(millis(50));
    for client in &clients {
        while world.write(0, *client, &[1; 10_000]).is_ok() {}
    }
    world.run(Duration::from_secs(5));
    let held = world.sides[0].tcp.memory();
    assert!(held <= (1 << 20) + 40 * 10_000, "{held} bytes: the machine's limit, and a write each");
    // Others are served: who holds nothing gets something.
    let server = world.sides[1].tcp.accept(listener).unwrap().0;
    assert!(world.read(1, server).is_ok());
    // Nobody reads, and nobody owns them any more.
    for client in clients {
        world.close(0, client);
    }
    assert_eq!(world.sides[0].tcp.counts().orphans, 40);
    world.run(Duration::from_secs(600));
    assert!(world.sides[0].tcp.counts().orphans <= 1, "{:?}", world.sides[0].tcp.counts());
}

#[test]
fn received_memory_is_limited_for_the_machine() {
    let mut world = World::<crate::Cubic>::with(1, Limits { memory: 300_000, ..Limits::default() });
    world.keep_log = false;
    let listener = world.listen(1000);
    let clients: Vec<_> = (0..20).map(|_| world.connect()).collect();
    world.run(millis(50));
    for round in 0..100 {
        for client in &clients {
            let _ = world.write(0, *client, &stream(round, 5_000));
        }
        world.run(millis(20));
    }
    let held = world.sides[1].tcp.memory();
    assert!(held <= 300_000 + 20 * 65_536, "{held}");
    let mut read = 0;
    while let Ok((server, _)) = world.sides[1].tcp.accept(listener) {
        read += world.read(1, server).map_or(0, |data| data.len());
    }
    assert!(read > 0);
}

#[test]
fn numbers_ports_and_clocks_are_not_guessed() {
    let secrets = crate::secrets::Secrets::new([9; 32]);
    let now = packets::Instant::from_nanos(1 << 40);
    let tuple = |port: u16, last: u8| {
        crate::tuple::Tuple::new(
            SocketAddr::new([10, 0, 0, 1].into(), port),
            SocketAddr::new([10, 0, 0, last].into(), 80),
        )
    };
    // RFC 6528: numbers of neighbours have nothing in common; those of one tuple go on with the clock.
    let first: Vec<u32> = (0..50_000).map(|port| secrets.first_sequence(now, &tuple(port, 2)).0).collect();
    let steps: BTreeSet<u32> = first.windows(2).map(|two| two[1].wrapping_sub(two[0])).collect();
    assert!(steps.len() > 49_990, "{}", steps.len());
    for bit in 0..32 {
        let ones = first.iter().filter(|number| *number >> bit & 1 == 1).count();
        assert!((24_000..26_000).contains(&ones), "bit {bit}: {ones}");
    }
    let later = secrets.first_sequence(now + Duration::from_secs(1), &tuple(1, 2));
    assert_eq!(later - secrets.first_sequence(now, &tuple(1, 2)), 250_000, "4 microseconds each");
    // RFC 7323, 7.1: the clock is another one for each pair.
    let clocks: BTreeSet<u32> = (0..=255).map(|last| secrets.clock_offset(&tuple(0, last))).collect();
    assert_eq!(clocks.len(), 256);
    assert_eq!(secrets.clock_offset(&tuple(1, 2)), secrets.clock_offset(&tuple(2, 2)));
    let other = crate::secrets::Secrets::new([8; 32]);
    assert_ne!(other.place(&tuple(1, 2)), secrets.place(&tuple(1, 2)), "crafted collisions do not help");
}

#[test]
fn chosen_ports_are_spread() {
    let mut world = World::new();
    world.keep_log = false;
    let mut ports = Vec::new();
    for number in 0..2_000_u16 {
        let Side { tcp, wire } = &mut world.sides[0];
        let handle = tcp.open(Family::V4).unwrap();
        let to = SocketAddr::new([10, 0, (number >> 8) as u8, number as u8].into(), 80);
        tcp.connect(world.now, wire, handle, to).unwrap();
        ports.push(tcp.local(handle).unwrap().port());
        wire.sent.clear();
    }
    let different: BTreeSet<u16> = ports.iter().copied().collect();
    assert!(different.len() > 1_800, "{}", different.len());
    let near = ports.windows(2).filter(|two| two[0].abs_diff(two[1]) < 100).count();
    assert!(near < 40, "{near} next to each other: RFC 6056, 3.3.3");
    assert!(ports.iter().all(|port| (32_768..=60_999).contains(port)));
}

#[test]
fn any_bytes_in_any_state_are_harmless() {
    let mut random = Random(4711);
    for seed in 0..150 {
        let mut world = World::<crate::Cubic>::with(seed, Limits::default());
        let (client, server, _) = world.pair();
        if seed % 3 > 0 {
            world.write(0, client, &stream(0, 30_000)).unwrap();
        }
        match seed % 5 {
            1 => world.close(0, client),
            2 => drop(world.sides[1].tcp.take_error(server)),
            3 => world.run(millis(7)),
            4 => drop(world.read(1, server)),
            _ => {}
        }
        for _ in 0..100 {
            let side = random.below(2) as usize;
            let mut forged = Forged::after(&world, 1 - side);
            forged.flags = Flags::from_bits_retain(random.below(256) as u8);
            forged.sequence = SequenceNumber(forged.sequence.0.wrapping_add(spread(&mut random)));
            forged.acknowledgment = SequenceNumber(forged.acknowledgment.0.wrapping_add(spread(&mut random)));
            (forged.window, forged.urgent) = (random.below(65_536) as u16, random.below(3_000) as u16);
            forged.payload = stream(0, random.below(3_000) as usize);
            for _ in 0..random.below(4) {
                let (first, end) = (spread(&mut random), spread(&mut random));
                forged.options.sack.push(forged.acknowledgment + first, forged.acknowledgment + end);
            }
            let mut bytes = forged.bytes(ADDRESSES[1 - side].into(), ADDRESSES[side].into());
            if random.below(8) == 0 {
                bytes.truncate(random.below(bytes.len() as u64) as usize);
            }
            world.deliver(side, bytes, random.below(256) as u8);
            world.flush();
            if random.below(3) == 0 {
                world.run(millis(random.below(300)));
            }
        }
        world.log.clear();
        for (side, handle) in [(0, client), (1, server)] {
            let Side { tcp, wire } = &mut world.sides[side];
            let _ = tcp.abort(world.now, wire, handle);
        }
        world.run(Duration::from_secs(500));
        for side in &world.sides {
            assert_eq!(side.tcp.memory(), 0, "seed {seed}");
            assert_eq!(side.tcp.counts().orphans, 0, "seed {seed}");
        }
    }
}

/// A distance that is often small, and anything now and then.
fn spread(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => 0,
        1 => random.below(3_000) as u32,
        2 => (random.below(100_000) as u32).wrapping_sub(50_000),
        _ => random.below(1 << 32) as u32,
    }
}

#[test]
fn limits_follow_the_memory() {
    assert_eq!(Limits::of_memory(usize::MAX), Limits::default());
    for memory in [1 << 16, 1 << 20, 64 << 20] {
        let limits = Limits::of_memory(memory);
        assert!(8 * limits.memory + limits.sockets as usize * 1024 <= memory * 3 / 4, "{limits:?}");
        assert!(limits.receive_window.max(limits.send_queue) as usize <= limits.memory / 2);
    }
    let mut world = World::<crate::Cubic>::with(1, Limits::of_memory(1 << 20));
    let listener = world.listen(1000);
    for _ in 0..200 {
        let _ = world.connect();
    }
    world.run(millis(200));
    while world.sides[1].tcp.accept(listener).is_ok() {}
    assert!(world.sides[1].tcp.footprint() <= 1 << 18, "{} bytes of sockets", world.sides[1].tcp.footprint());
}
