//! Connections one after another leave no byte behind, also on a link that loses: counted by the allocator, and so below
//! all that a stack says of itself.

use std::alloc::System;
use std::time::Duration;

use network_tests::application::{Finish, Pace, Plan};
use network_tests::host::SocketOptions;
use network_tests::link::Faults;
use network_tests::scenario::Conversation;
use network_tests::{Peer, Scenario, World};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Bytes that are allocated now.
fn allocated() -> usize {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated - stats.bytes_deallocated
}

/// Every so often one connects. So in 60 seconds of TIME-WAIT there are some 1,200, and no more from then on.
const EVERY: Duration = Duration::from_millis(50);

fn conversation(number: u64) -> Conversation {
    let pace = Pace { largest: 3_000, stretch: 1, pause: Duration::ZERO };
    let plan = |sends, finish, aborts_after| Plan { sends, writing: pace, reading: pace, finish, aborts_after };
    // Each ninth is reset in its middle.
    let aborts = number.is_multiple_of(9).then_some(number % 4_000);
    Conversation {
        client: number as usize % 2,
        ipv6: number.is_multiple_of(3),
        port: 80,
        starts: EVERY * number as u32,
        options: SocketOptions::default(),
        plans: [plan(number % 5_000, Finish::HalfClose, aborts), plan(number % 3_000, Finish::AfterTheOther, None)],
        keys: [number, !number],
    }
}

/// Bytes that two stacks hold when so many connections are over.
fn held_after(count: u64) -> usize {
    let mut scenario = Scenario::new([Peer::Ours; 2], 1);
    let faults = Faults {
        loss: 20_000,
        delay: Duration::from_millis(3),
        jitter: Duration::from_millis(3),
        duplication: 10_000,
        mtu: 1_500,
        ..Faults::default()
    };
    scenario.places = scenario.places.map(|place| network_tests::host::Place { mtu: 1_500, ..place });
    (scenario.faults, scenario.changes) = ([faults; 2], Vec::new());
    scenario.conversations = (0..count).map(conversation).collect();
    let (counts, hosts) = World::new(&scenario, false).run_out().unwrap();
    assert_eq!(counts.whole + counts.broken, count);
    let with = allocated();
    drop(hosts);
    with - allocated()
}

#[test]
fn twice_as_many_connections_leave_no_more() {
    // Both are beyond the time in which TIME-WAIT fills up.
    let (few, many) = (held_after(3_000), held_after(6_000));
    println!("{few} bytes after 3,000 connections, {many} after 6,000");
    assert!(many <= few + few / 8, "{few} bytes after 3,000 connections, {many} after 6,000");
}
