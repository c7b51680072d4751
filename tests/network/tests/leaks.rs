//! Connections one after another leave no byte behind, also on a link that loses: counted by the allocator, and so
//! below all that a stack says of itself.

use std::alloc::System;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use network_tests::application::{Finish, Pace, Plan};
use network_tests::host::{Host, Place, Socket, SocketOptions};
use network_tests::link::Faults;
use network_tests::run_counted;
use network_tests::scenario::Conversation;
use network_tests::world::START;
use network_tests::{Peer, Scenario, World};
use packets::Instant;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> ExitCode {
    run_counted!(twice_as_many_connections_leave_no_more, both_ends_of_a_million_connections_leave_nothing,)
}

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

fn twice_as_many_connections_leave_no_more() {
    // Both are beyond the time in which TIME-WAIT fills up.
    let (few, many) = (held_after(3_000), held_after(6_000));
    println!("{few} bytes after 3,000 connections, {many} after 6,000");
    assert!(many <= few + few / 8, "{few} bytes after 3,000 connections, {many} after 6,000");
}

/// Two hosts at the ends of a wire that takes no time and loses nothing.
struct Wire {
    hosts: [Box<dyn Host>; 2],
    now: Instant,
}

/// The port that both listen at.
const PORT: u16 = 80;
const PLACES: [Place; 2] = [Place { side: 0, mtu: 1500 }, Place { side: 1, mtu: 1500 }];
/// Between two connections: so some 12,000 are in TIME-WAIT, fewer than there are ports.
const BETWEEN: Duration = Duration::from_millis(5);

impl Wire {
    fn new() -> Self {
        let mut hosts = PLACES.map(|place| Peer::Bare.start(place, 1, false));
        hosts.iter_mut().for_each(|host| host.listen(PORT, SocketOptions::default()));
        Self { hosts, now: START }
    }

    /// Carries frames until nobody says anything more.
    fn carry(&mut self) {
        let mut frames = Vec::new();
        let mut silent = 0;
        for side in [0, 1].into_iter().cycle() {
            self.hosts[side].take_frames(&mut frames);
            silent = if frames.is_empty() { silent + 1 } else { 0 };
            if silent == 2 {
                return;
            }
            self.hosts[1 - side].receive(self.now, &mut frames);
            frames.clear();
        }
    }

    /// Time passes, and what is due is done.
    fn pass(&mut self, time: Duration) {
        self.now += time;
        for host in &mut self.hosts {
            if host.deadline(self.now).is_some_and(|due| due <= self.now) {
                host.poll(self.now);
            }
            host.ready(&mut Vec::new());
        }
        self.carry();
    }

    /// Bytes from one to the other.
    fn say(&mut self, ends: [Socket; 2], from: usize, bytes: &[u8]) {
        assert_eq!(self.hosts[from].write(self.now, ends[from], bytes), Ok(bytes.len()));
        self.carry();
        let mut came = [0; 200];
        let count = self.hosts[1 - from].read(self.now, ends[1 - from], &mut came).unwrap();
        assert_eq!(came[..count], *bytes);
    }

    /// A connection from its beginning to its end, in one of the ways in which they end.
    fn one(&mut self, number: u64) {
        let client = number as usize % 2;
        let to = SocketAddr::new(PLACES[1 - client].ipv4(), PORT);
        let (socket, _) = self.hosts[client].connect(self.now, to, SocketOptions::default()).expect("there is a port");
        self.carry();
        let (accepted, _) = self.hosts[1 - client].accept(self.now, PORT).expect("it has come");
        let ends = if client == 0 { [socket, accepted] } else { [accepted, socket] };
        self.say(ends, client, &[number as u8; 100]);
        self.say(ends, 1 - client, &[!number as u8; 200]);
        let first = (number / 2) as usize % 2;
        if number.is_multiple_of(9) {
            self.hosts[first].abort(self.now, ends[first]);
        } else {
            self.hosts[first].close(self.now, ends[first]);
        }
        self.carry();
        self.hosts[1 - first].close(self.now, ends[1 - first]);
        self.carry();
        self.pass(BETWEEN);
    }
}

/// The second half of a million connections leaves no more behind than the first has. Always a tenth of it.
fn both_ends_of_a_million_connections_leave_nothing() {
    let count = if std::env::var_os("WHITTLE_TEST_ALL").is_some() { 1_000_000 } else { 100_000 };
    let begin = allocated();
    let mut wire = Wire::new();
    (0..count / 2).for_each(|number| wire.one(number));
    let half = allocated() - begin;
    (count / 2..count).for_each(|number| wire.one(number));
    let whole = allocated() - begin;
    println!("{half} bytes after {} connections, {whole} after {count}", count / 2);
    assert!(whole <= half + half / 20, "{half} bytes after {} connections, {whole} after {count}", count / 2);
    wire.pass(Duration::from_secs(120));
    let held = wire.hosts.iter().map(|host| host.held()).collect::<Vec<_>>();
    assert!(held.iter().all(|held| (held.sockets, held.bytes, held.timers) == (0, 0, 0)), "{held:?}");
}
