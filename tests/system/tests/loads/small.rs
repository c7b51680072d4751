//! A little of all: what breaks at once is seen always.

use std::time::{Duration, Instant};

use system_tests::client;

use crate::way::Served;
use crate::{CLIENTS, ends, held, rests, stopped};

/// Connections at once, and one after another.
const SOME: usize = 300;
/// How long all kinds of load go on.
const SHORT: Duration = Duration::from_secs(2);
/// Bytes that a connection may leave behind which the server has ended first: its place among those that are remembered
/// for a minute (a cache line, and its chain), twice, as tables double. The faster a machine, the more there are at
/// once.
const REMEMBERED: u64 = 2 * (64 + 16);
/// How long it is looked at when it has nothing to do.
const WINDOW: Duration = Duration::from_secs(2);

pub fn all(served: &Served) {
    held::hold(served, SOME);
    let before = served.told();
    (0..SOME).for_each(|number| held::one(served, number));
    let turns = client::mixed(&[served.address], CLIENTS, Instant::now() + SHORT, ends(served));
    assert!(turns >= CLIENTS as u64, "{turns} conversations");
    stopped::some(served, false);
    served.is_as_before_but(&before, REMEMBERED * (turns + SOME as u64));
    rests(served, WINDOW);
}
