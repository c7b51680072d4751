//! How much a long stream carries over a link that loses a part of what is sent, in virtual time: beside what the
//! window of CUBIC is on average by RFC 9438, 5.1, which over such paths is that of NewReno.

use std::time::Duration;

use network_tests::application::{Finish, Pace, Plan};
use network_tests::host::SocketOptions;
use network_tests::link::Faults;
use network_tests::scenario::Conversation;
use network_tests::{Peer, Scenario, World};

/// Bytes of the stream, and of a segment's payload.
const LENGTH: u64 = 40 << 20;
const SEGMENT: f64 = 1448.0;

fn plan(sends: u64, finish: Finish) -> Plan {
    let pace = Pace { largest: 1 << 16, stretch: u64::MAX, pause: Duration::ZERO };
    Plan { sends, writing: pace, reading: pace, finish, aborts_after: None }
}

/// Segments that were under way, on average, of a stream over a path with so much delay and so many losses in a
/// million.
fn window(delay: Duration, loss: u32, seed: u64) -> f64 {
    let mut scenario = Scenario::new([Peer::Ours; 2], seed);
    let faults = Faults { loss, delay, mtu: 1_500, ..Faults::default() };
    scenario.places = scenario.places.map(|place| network_tests::host::Place { mtu: 1_500, ..place });
    (scenario.faults, scenario.changes) = ([faults; 2], Vec::new());
    scenario.listeners = SocketOptions::default();
    scenario.conversations = vec![Conversation {
        client: 0,
        ipv6: false,
        port: 80,
        starts: Duration::ZERO,
        options: SocketOptions::default(),
        plans: [plan(LENGTH, Finish::HalfClose), plan(0, Finish::AfterTheOther)],
        keys: [1, 2],
    }];
    let counts = World::new(&scenario, false).run().unwrap();
    assert_eq!((counts.whole, counts.bytes), (1, 2 * LENGTH));
    let round_trips = counts.time.as_secs_f64() / (2 * delay).as_secs_f64();
    LENGTH as f64 / SEGMENT / round_trips
}

/// The window over such paths, the middle one of three seeds', beside sqrt(3 / 2p) segments.
#[test]
fn a_stream_carries_what_cubic_should() {
    for (micros, loss) in [(1_000, 10_000), (10_000, 10_000), (10_000, 1_000)] {
        let mut windows = [0, 1, 2].map(|seed| window(Duration::from_micros(micros), loss, seed));
        windows.sort_by(f64::total_cmp);
        let expected = (1.5 / (f64::from(loss) / 1e6)).sqrt();
        assert!(
            windows[1] >= 0.9 * expected,
            "{micros} us, {loss} lost of a million: {windows:?}, {expected} expected"
        );
    }
}
