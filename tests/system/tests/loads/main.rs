//! Load for programs of Linux: a server over epoll (`programs/server-epoll`), unmodified, with as many clients as
//! servers have, on each platform and over each provider of sockets.
//!
//! A small load runs always, the long ones with `--all`.

mod held;
mod small;
mod stopped;
mod way;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use system_tests::client::Ends;
use system_tests::{Check, Platform, Scope, client, processor_time};
use way::{Served, Way};

/// How long all kinds of load go on, and before that until all has been there that is remembered for a minute (RFC
/// 9293,
/// 3.6.1): tables keep the places that they have had.
const LONG: Duration = Duration::from_secs(600);
const FIRST: Duration = Duration::from_secs(75);
/// Clients at once of that.
const CLIENTS: usize = 8;
/// How long a machine with nothing to do is looked at, and what it may take of a processor in that.
const WINDOW: Duration = Duration::from_secs(10);
const MOST: Duration = Duration::from_millis(20);
/// Windows that are tried: what disturbs one (a host that is busy with its own) is gone in the next.
const TRIES: usize = 3;

fn main() -> ExitCode {
    if let Some(address) = std::env::var_os(stopped::CLIENT) {
        return stopped::client(&address.to_string_lossy());
    }
    let mut checks = Vec::new();
    for way in Way::ALL {
        let mut add = |what: &str, long: fn(Platform) -> bool, body: fn(&Served)| {
            let name = format!("{what}_{}", way.name());
            let check = Check::new(name, Scope::GuestsAtRing0, move |platform| way.serve(platform, body));
            checks.push(check.long_where(long));
        };
        add("some_of_all", Platform::is_pc, small::all);
        add("ten_thousand_connections_at_once", |_| true, held::at_once);
        add("a_million_connections_one_after_another", |_| true, held::one_after_another);
        add("all_kinds_of_load", |_| true, mixed);
        add("clients_vanish_and_stop", |_| true, stopped::all);
        add("with_nothing_to_do_it_rests", |_| true, |served| rests(served, WINDOW));
    }
    system_tests::run(&checks)
}

/// When clients may end their direction: QEMU's user network loses what they have sent if they do so before the machine
/// has answered, and hands over the end alone.
fn ends(served: &Served) -> Ends {
    if served.platform.is_pc() && served.way == Way::Published {
        eprintln!("left out: clients that end at once, over QEMU's user network");
        return Ends::Answered;
    }
    Ends::AtOnce
}

/// All kinds of load at once, of which every byte is looked at.
fn mixed(served: &Served) {
    let ends = ends(served);
    let _ = client::mixed(&[served.address], CLIENTS, Instant::now() + FIRST, ends);
    let before = served.told();
    let turns = client::mixed(&[served.address], CLIENTS, Instant::now() + LONG, ends);
    eprintln!("figure: {}: {turns} conversations in {LONG:?}", served.name);
    assert!(turns >= CLIENTS as u64, "{turns} conversations");
    served.is_as_before(&before);
}

/// The server has served, and nobody asks it for anything.
fn rests(served: &Served, window: Duration) {
    client::echo(served.address, 1000);
    // What is due behind a connection has been done.
    std::thread::sleep(Duration::from_secs(2));
    let most = MOST.mul_f64(window.as_secs_f64() / WINDOW.as_secs_f64());
    let rested = (0..TRIES).any(|_| {
        let (before, halted) = (processor_time(served.id()), served.halted());
        std::thread::sleep(window);
        let taken = processor_time(served.id()).saturating_sub(before);
        let halted = served.halted().saturating_sub(halted);
        eprintln!("figure: {}: {taken:?} of a processor in {window:?}, {halted:?} of a halted machine", served.name);
        taken <= halted + most
    });
    assert!(rested, "a machine with nothing to do takes more than {most:?} in {window:?}");
}
