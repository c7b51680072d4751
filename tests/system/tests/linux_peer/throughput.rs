//! Long transfers each way over links that lose none, one and five of a hundred frames: nothing may be missing or changed.
//! How long they take is told beside what Linux itself takes over the same link, and asserted nowhere.

use std::time::{Duration, Instant};

use system_tests::{all, in_namespace, leave};

use crate::client;
use crate::link::Forwarded;
use crate::machine::Machine;

/// Bytes each way: what `--all` sends, and what is sent always.
const LONG: u64 = 1 << 30;
const SHORT: u64 = 16 << 20;

/// How long something takes.
fn timed(work: impl FnOnce()) -> Duration {
    let since = Instant::now();
    work();
    since.elapsed()
}

fn told(whose: &str, way: &str, rate: u64, length: u64, time: Duration) {
    let speed = length as f64 / 1e6 / time.as_secs_f64();
    eprintln!("figure: {whose}: {way}, {} % lost: {speed:.1} MB/s", rate / 10_000);
}

/// So many bytes to the server and from it.
fn each_way(whose: Option<Machine>, rate: u64, length: u64) -> Result<(), String> {
    let name = whose.map_or("Linux", Machine::name);
    let link = Forwarded::start(whose, rate)?;
    for family in 0..2 {
        link.act(family, |address| client::echo(address, 100_000));
    }
    let sent = link.act(0, move |address| timed(|| client::send(address, length)));
    told(name, "to it", rate, length, sent);
    let received = link.act(0, move |address| timed(|| client::receive(address, length)));
    told(name, "from it", rate, length, received);
    let (carried, lost) = link.end();
    // The seed says which frames: with so many of them some are among them.
    assert_eq!(lost > 0, rate > 0, "{lost} of {carried} frames");
    Ok(())
}

/// Of a machine, with losses of so many in a million frames.
pub fn transfers(machine: Machine, rate: u64) {
    machine.build();
    if !all() {
        leave("a gigabyte each way, and beside it what Linux takes");
        return in_namespace(move || each_way(Some(machine), rate, SHORT));
    }
    in_namespace(move || each_way(None, rate, LONG));
    in_namespace(move || each_way(Some(machine), rate, LONG));
}
