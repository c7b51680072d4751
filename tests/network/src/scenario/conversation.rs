//! One connection of a run.

use std::time::Duration;

use crate::application::{Finish, Pace, Plan};
use crate::host::SocketOptions;
use crate::random::Random;

/// Ports that are listened at on both sides.
pub const PORTS: [u16; 2] = [80, 7_000];

/// Who connects to whom, when, and what they do then.
#[derive(Clone, Debug)]
pub struct Conversation {
    /// The side that connects.
    pub client: usize,
    /// Over IPv6.
    pub ipv6: bool,
    /// The port that it connects to.
    pub port: u16,
    /// When, after the run's beginning.
    pub starts: Duration,
    /// Of the client's socket.
    pub options: SocketOptions,
    /// What the client does, and what the server does.
    pub plans: [Plan; 2],
    /// The keys of what the client sends, and of what the server sends.
    pub keys: [u64; 2],
}

impl Conversation {
    /// Draws one in which each end sends at most so many bytes.
    pub fn new(random: &mut Random, most: u64) -> Self {
        let mut plans = [plan(random, most), plan(random, most)];
        let waits = random.below(3) as usize;
        if let Some(plan) = plans.get_mut(waits) {
            plan.finish = Finish::AfterTheOther;
        }
        close_where_nothing_comes(random, &mut plans);
        Self {
            client: random.below(2) as usize,
            ipv6: random.happens(500_000),
            port: random.one_of(&PORTS),
            starts: Duration::from_nanos(random.magnitude(2_000_000_000)),
            options: options(random),
            plans,
            keys: [random.next(), random.next()],
        }
    }
}

fn plan(random: &mut Random, most: u64) -> Plan {
    let sends = if random.happens(100_000) { 0 } else { random.magnitude(most) };
    let aborts = random.happens(40_000).then(|| random.magnitude(most));
    Plan {
        sends,
        writing: pace(random, most),
        reading: pace(random, most),
        finish: Finish::HalfClose,
        aborts_after: aborts,
    }
}

/// Pauses of a stream, so that it ends in time.
const PAUSES: u64 = 100;

/// Half of the programs do not pause; calls are of one byte to some ten thousand.
fn pace(random: &mut Random, most: u64) -> Pace {
    let pause = if random.happens(600_000) { 0 } else { random.magnitude(1_000_000) };
    let stretch = 1 + most / PAUSES + random.magnitude(most);
    Pace { largest: 1 + random.magnitude(32 << 10) as usize, stretch, pause: Duration::from_micros(pause) }
}

/// Who is sent nothing may give its socket back with its last byte.
fn close_where_nothing_comes(random: &mut Random, plans: &mut [Plan; 2]) {
    for side in [0, 1] {
        if plans[1 - side].sends == 0 && plans[side].finish == Finish::HalfClose && random.happens(500_000) {
            plans[side].finish = Finish::Close;
        }
    }
}

/// Options of a socket.
pub fn options(random: &mut Random) -> SocketOptions {
    let mut buffer = || random.happens(300_000).then(|| 1_024 + random.magnitude(1 << 18) as usize);
    let (receive_buffer, send_buffer) = (buffer(), buffer());
    SocketOptions {
        no_delay: random.happens(500_000),
        keep_alive: random.happens(100_000).then(|| Duration::from_secs(random.between(1, 60))),
        receive_buffer,
        send_buffer,
        reno: random.happens(300_000),
    }
}
