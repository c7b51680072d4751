//! Networks in virtual time: two whole stacks, programs on both, and a link between them with seeded faults.
//!
//! A [`Scenario`] is all of a run, drawn from one number. A [`World`] runs it: time jumps from event to event, so hours
//! of retransmissions take milliseconds, and a run of the same seed is the same run. [`run`] does both.
//!
//! What is checked: each byte of each stream, in its place; that streams end where they were ended; that nobody stalls;
//! that a stack comes to rest; that it holds nothing when all is over.
#![forbid(unsafe_code)]

pub mod application;
pub mod bare;
pub mod counted;
pub mod host;
pub mod link;
mod path_mtu;
pub mod peers;
pub mod random;
pub mod scenario;
pub mod stream;
mod trace;
pub mod world;

pub use peers::Peer;
pub use scenario::Scenario;
pub use world::{Counts, Failure, World};

/// Runs a seed's scenario between such stacks. `trace` prints each frame.
pub fn run(peers: [Peer; 2], seed: u64, trace: bool) -> Result<Counts, Failure> {
    let scenario = Scenario::new(peers, seed);
    if trace {
        println!("{scenario:#?}");
    }
    World::new(&scenario, trace).run()
}
