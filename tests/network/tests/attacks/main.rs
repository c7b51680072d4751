//! Attacks on a whole stack, and crowds: the bytes are counted by the allocator, so all tables are among them.
//!
//! `WHITTLE_TEST_ALL=1` has the long ones be as long as they were meant.

mod victim;

use std::alloc::System;
use std::net::Ipv4Addr;
use std::process::ExitCode;
use std::time::Duration;

use network_tests::random::Random;
use network_tests::run_counted;
use packets::tcp::{Flags, Options, SequenceNumber, Timestamps};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use tcp::{Handle, Limits};
use victim::{Stranger, Victim};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> ExitCode {
    run_counted!(
        a_million_syns_leave_memory_as_it_was,
        ten_thousand_closed_windows_hold_what_the_machine_allows,
        ten_thousand_idle_connections_take_little_in_all,
        a_million_connections_one_after_another_leave_nothing,
        a_fin_repeated_for_ever_holds_nothing,
        single_bytes_out_of_order_cost_each_the_same,
    )
}

/// Bytes that are allocated now.
fn allocated() -> usize {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated - stats.bytes_deallocated
}

/// So many, or all of them if somebody has the time.
fn few_or_all(few: u32, all: u32) -> u32 {
    if std::env::var_os("WHITTLE_TEST_ALL").is_some() { all } else { few }
}

/// An address of the whole Internet, but none of those that no packet can come from.
fn anywhere(random: &mut Random) -> Ipv4Addr {
    let first = random.between(11, 126) as u8;
    let [_, b, c, d] = (random.next() as u32).to_be_bytes();
    Ipv4Addr::new(first, b, c, d)
}

fn a_million_syns_leave_memory_as_it_was() {
    let (mut victim, mut random) = (Victim::new(Limits::default(), 128), Random::new(1));
    let mut held = Vec::new();
    for round in 0..10 {
        for number in 0..100_000_u32 {
            let source = Stranger {
                address: anywhere(&mut random),
                port: random.between(1, 65_535) as u16,
                sequence: SequenceNumber(random.next() as u32),
                ..Stranger::new(0)
            };
            let timestamps = (number % 2 == 0).then_some(Timestamps { value: number, echo: 0 });
            let options = Options { segment_size: Some(1_460), timestamps, ..Options::default() };
            victim.give(&source, Flags::SYN, &options, &[]);
            victim.pass(Duration::from_micros(1));
        }
        held.push(allocated());
        // Somebody honest is served in the middle of it.
        let mut honest = Stranger::new(round);
        victim.connect(&mut honest);
        let handle = victim.accept();
        assert!(victim.say(&mut honest, b"hello").is_some());
        assert_eq!(victim.read(handle), 5, "round {round}");
        victim.close(handle);
        victim.give(&honest, Flags::RST, &Options::default(), &[]);
    }
    assert_eq!(victim.stack.tcp.counts().half_open, 256);
    assert!(victim.stack.tcp.statistics().cookies_accepted >= 9);
    assert!(held[9] <= held[0] + 4_096, "{held:?} bytes");
    victim.pass(Duration::from_secs(200));
    assert_eq!(victim.stack.tcp.counts().half_open, 0);
}

/// Connections that ask for much and take nothing, each with what it holds.
fn crowd_of_closed_windows(victim: &mut Victim, count: u32, asks: usize) -> Vec<Handle> {
    let answer = vec![7; asks];
    let one = |number: u32| {
        let mut stranger = Stranger { window: 0, ..Stranger::new(number) };
        victim.connect(&mut stranger);
        let handle = victim.accept();
        victim.say(&mut stranger, b"all of it, please");
        victim.read(handle);
        victim.write(handle, &answer);
        handle
    };
    (0..count).map(one).collect()
}

fn ten_thousand_closed_windows_hold_what_the_machine_allows() {
    let limits = Limits { memory: 8 << 20, orphans: 100, ..Limits::default() };
    let (mut victim, before) = (Victim::new(limits, 128), allocated());
    let handles = crowd_of_closed_windows(&mut victim, 10_000, 20_000);
    let held = allocated() - before;
    println!("10,000 connections with a window of 0 that ask for 20,000 bytes each hold {held} bytes");
    // The machine's limit, a write beyond it, and a page for each that has nothing.
    assert!(victim.stack.tcp.memory() <= (8 << 20) + 20_000 + 10_000 * 4_096, "{}", victim.stack.tcp.memory());
    assert!(held <= (8 << 20) + 10_000 * (4_096 + 2_000), "{held} bytes");
    let mut honest = Stranger::new(20_000);
    victim.connect(&mut honest);
    let handle = victim.accept();
    victim.say(&mut honest, b"hello");
    assert_eq!(victim.read(handle), 5);
    assert_eq!(victim.write(handle, b"and welcome"), 11, "who holds nothing gets something");
    victim.close(handle);
    handles.into_iter().for_each(|handle| victim.close(handle));
    assert!(victim.stack.tcp.counts().orphans <= 100, "{:?}", victim.stack.tcp.counts());
    victim.pass(Duration::from_secs(3_600));
    assert_eq!((victim.stack.tcp.counts().orphans, victim.stack.tcp.memory()), (0, 0), "nobody answers the probes");
    let left = allocated().saturating_sub(before);
    assert!(left <= 10_000 * 200, "{left} bytes are left: places in tables alone");
}

fn ten_thousand_idle_connections_take_little_in_all() {
    let (mut victim, before) = (Victim::new(Limits::default(), 128), allocated());
    let mut crowd: Vec<(Stranger, Handle)> = Vec::with_capacity(10_000);
    let own = crowd.capacity() * size_of::<(Stranger, Handle)>();
    for number in 0..10_000 {
        let mut stranger = Stranger::new(number);
        victim.connect(&mut stranger);
        crowd.push((stranger, victim.accept()));
    }
    // Each has said something in disorder, and was answered: what is made when it is first needed was needed.
    for (stranger, handle) in &mut crowd {
        let ahead = Stranger { sequence: stranger.sequence + 1_000, ..*stranger };
        victim.give(&ahead, Flags::ACK, &Options::default(), &[2; 1_000]);
        victim.say(stranger, &[1; 1_000]);
        stranger.sequence += 1_000;
        assert_eq!(victim.read(*handle), 2_000);
        assert_eq!(victim.write(*handle, &[3; 200]), 200);
        stranger.acknowledgment += 200;
        victim.give(stranger, Flags::ACK, &Options::default(), &[]);
    }
    victim.pass(Duration::from_secs(60));
    let each = (allocated() - before - own) / 10_000;
    println!("figure: an idle connection takes {each} bytes of the stack, its places in tables among them");
    assert_eq!(victim.stack.tcp.memory(), 0);
    assert_eq!(victim.stack.deadline(), None, "no timer is left");
    assert!(each <= 1_536, "{each} bytes");
}

/// One connection, from its SYN to the last FIN: the stranger ends it first, or the stack does.
fn whole_connection(victim: &mut Victim, number: u32) {
    let mut stranger = Stranger::new(number);
    victim.connect(&mut stranger);
    let handle = victim.accept();
    victim.say(&mut stranger, b"ping");
    assert_eq!(victim.read(handle), 4);
    assert_eq!(victim.write(handle, b"pong"), 4);
    stranger.acknowledgment += 4;
    if number.is_multiple_of(2) {
        victim.give(&stranger, Flags::ACK | Flags::FIN, &Options::default(), &[]);
        stranger.sequence += 1;
        victim.close(handle);
        stranger.acknowledgment += 1;
        victim.give(&stranger, Flags::ACK, &Options::default(), &[]);
    } else {
        victim.close(handle);
        stranger.acknowledgment += 1;
        victim.give(&stranger, Flags::ACK | Flags::FIN, &Options::default(), &[]);
    }
    victim.pass(Duration::from_micros(500));
}

/// One that the stack has closed first, so that its end is in TIME-WAIT.
fn half_of_a_connection(victim: &mut Victim, number: u32) -> Stranger {
    let mut stranger = Stranger::new(number);
    victim.connect(&mut stranger);
    let handle = victim.accept();
    victim.close(handle);
    stranger.acknowledgment += 1;
    victim.give(&stranger, Flags::ACK | Flags::FIN, &Options::default(), &[]);
    stranger.sequence += 1;
    stranger
}

fn a_million_connections_one_after_another_leave_nothing() {
    let count = few_or_all(100_000, 1_000_000);
    let (mut victim, before) = (Victim::new(Limits::default(), 128), allocated());
    let mut held = 0;
    for number in 0..count {
        whole_connection(&mut victim, number);
        // TIME-WAIT is full by then: half of them are in it.
        if number == 50_000 {
            held = allocated() - before;
        }
    }
    let most = allocated() - before;
    assert_eq!(victim.stack.tcp.counts().time_waits, Limits::default().time_waits);
    assert!(most <= held + 4_096, "{held} bytes after 50,000 connections, {most} after {count}");
    victim.pass(Duration::from_secs(61));
    let counts = victim.stack.tcp.counts();
    assert_eq!((counts.sockets, counts.half_open, counts.time_waits, counts.orphans), (1, 0, 0, 0));
    println!("{count} connections: {most} bytes with TIME-WAIT full, {} behind it", allocated() - before);
}

fn a_fin_repeated_for_ever_holds_nothing() {
    let mut victim = Victim::new(Limits::default(), 128);
    let strangers: Vec<Stranger> = (0..200).map(|number| half_of_a_connection(&mut victim, number)).collect();
    assert_eq!(victim.stack.tcp.counts().time_waits, 200);
    let mut held = 0;
    for round in 0..1_000 {
        for stranger in &strangers {
            let again = Stranger { sequence: stranger.sequence - 1, ..*stranger };
            assert!(victim.give(&again, Flags::ACK | Flags::FIN, &Options::default(), &[]).is_some());
        }
        victim.pass(Duration::from_millis(2));
        held = if round == 0 { allocated() } else { held };
    }
    assert!(allocated() <= held + 4_096, "{held} bytes, and {} when each FIN had come 1,000 times", allocated());
    victim.pass(Duration::from_secs(59));
    assert_eq!(victim.stack.tcp.counts().time_waits, 200, "their time begins with the last FIN");
    victim.pass(Duration::from_secs(2));
    assert_eq!(victim.stack.tcp.counts().time_waits, 0);
}

fn single_bytes_out_of_order_cost_each_the_same() {
    let mut victim = Victim::new(Limits::default(), 128);
    let mut stranger = Stranger::new(1);
    victim.connect(&mut stranger);
    victim.accept();
    let mut random = Random::new(3);
    let mut give = |victim: &mut Victim| {
        let before = ALLOCATOR.stats();
        let far = Stranger { sequence: stranger.sequence + 2 + 2 * random.below(15_000) as u32, ..stranger };
        victim.give(&far, Flags::ACK, &Options::default(), b"x");
        let after = ALLOCATOR.stats();
        after.bytes_allocated - before.bytes_allocated
    };
    let first = (0..1_000).map(|_| give(&mut victim)).max();
    let held = allocated();
    let later = (0..100_000).map(|_| give(&mut victim)).max();
    assert!(later <= first, "{later:?} bytes are allocated for a segment, {first:?} among the first thousand");
    assert!(allocated() <= held + 4_096, "{} bytes, {held} before", allocated());
}
