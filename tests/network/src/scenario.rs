//! All that a run is, drawn from its seed: who the peers are, what the link does, who connects, and what they say.

mod conversation;

use std::time::Duration;

use crate::host::{Host, Place, SocketOptions};
use crate::link::Faults;
use crate::peers::Peer;
use crate::random::{Random, mix};
pub use conversation::{Conversation, PORTS};

/// A run.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The seed it comes from.
    pub seed: u64,
    /// The stacks.
    pub peers: [Peer; 2],
    /// Their interfaces.
    pub places: [Place; 2],
    /// What the link does to frames of each side.
    pub faults: [Faults; 2],
    /// When the link's largest packet changes, on which side's way, and to what.
    pub changes: Vec<(Duration, usize, usize)>,
    /// Options of sockets that are accepted.
    pub listeners: SocketOptions,
    /// Who talks.
    pub conversations: Vec<Conversation>,
}

impl Scenario {
    /// The run of a seed, between such stacks.
    #[must_use]
    pub fn new(peers: [Peer; 2], seed: u64) -> Self {
        let mut random = Random::new(seed);
        let places = [0, 1].map(|side| Place { side, mtu: random.one_of(&[1_280, 1_400, 1_500, 1_500, 1_500, 9_000]) });
        let mtu = places[0].mtu.min(places[1].mtu);
        let base = faults(&mut random, mtu);
        let faults = [base, if random.happens(300_000) { faults(&mut random, mtu) } else { base }];
        let changes = changes(&mut random, mtu);
        let count = if random.happens(500_000) { 1 } else { random.between(2, 8) };
        let most = 1 << random.between(8, 20);
        let conversations = (0..count).map(|_| Conversation::new(&mut random, most / count)).collect();
        let listeners = conversation::options(&mut random);
        Self { seed, peers, places, faults, changes, listeners, conversations }
    }

    /// Its hosts, before anything has happened.
    #[must_use]
    pub fn hosts(&self) -> [Box<dyn Host>; 2] {
        let neighbours = self.peers.iter().all(|peer| peer.knows_neighbours());
        [0, 1].map(|side| self.peers[side].start(self.places[side], mix(self.seed ^ side as u64), neighbours))
    }
}

/// Half of the links are nearly whole; the others have every fault in some degree.
fn faults(random: &mut Random, mtu: usize) -> Faults {
    let delay = Duration::from_micros(random.magnitude(300_000));
    let mut share = |most| if random.happens(500_000) { 0 } else { random.magnitude(most) as u32 };
    let (loss, bursts, duplication, corruption) = (share(80_000), share(200_000), share(50_000), share(20_000));
    let jitter = share(2_000_000);
    let rate = random.one_of(&[0, 0, 256_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000]);
    Faults {
        loss,
        bursts,
        delay,
        jitter: delay * jitter / 1_000_000,
        duplication,
        corruption,
        rate,
        queue: 3_000 + random.magnitude(1 << 18),
        mtu,
    }
}

/// Now and then a path gets shorter in the middle, and perhaps longer again.
fn changes(random: &mut Random, mtu: usize) -> Vec<(Duration, usize, usize)> {
    let count = if random.happens(250_000) { random.between(1, 4) } else { 0 };
    let moment = |random: &mut Random| Duration::from_nanos(random.magnitude(5_000_000_000));
    let length = |random: &mut Random| (random.between(1_280, 1_600) as usize).min(mtu);
    (0..count).map(|_| (moment(random), random.below(2) as usize, length(random))).collect()
}
