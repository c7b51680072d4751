//! Servers among clients that do what clients should not, and loads that are too much: a server answers as before
//! afterwards and its memory is what it was, or the machine has ended with a sentence that says why.
//!
//! A little of each runs always, all of it with `--all`.

mod clients;
mod held;
mod kind;
mod limits;
mod malformed;
mod memcached;
mod nginx;
mod redis;
mod served;
mod slow;
mod stopped;

use std::process::ExitCode;
use std::time::Duration;

use system_tests::{Check, Platform, Scope};

use kind::Kind;
use served::{Served, on};

/// For anything to happen, on a busy machine.
const LIMIT: Duration = Duration::from_secs(180);
const KINDS: [&Kind; 3] = [&redis::REDIS, &nginx::NGINX, &memcached::MEMCACHED];

/// How much of each load.
pub struct Size {
    /// How long slow clients go on.
    slow: Duration,
    /// How long they wait between two bytes.
    pause: Duration,
    /// Clients at once that are slow, or that vanish.
    clients: usize,
    /// Connections at once that are kept.
    held: usize,
    /// Requests one after another, pipelined ones, and malformed ones.
    requests: u64,
    /// Seconds after which servers cut off those who say nothing, or not enough.
    patience: &'static str,
}

const SMALL: Size = Size {
    slow: Duration::from_secs(1),
    pause: Duration::from_millis(100),
    clients: 8,
    held: 200,
    requests: 4000,
    patience: "2",
};
const LARGE: Size = Size {
    slow: Duration::from_secs(60),
    pause: Duration::from_secs(1),
    clients: 100,
    held: 10_000,
    // A load is there twice.
    requests: 500_000,
    patience: "120",
};

/// Nobody is cut off while the connections are made, however slow the machine.
const KEPT: Size = Size { patience: "3600", ..LARGE };

/// A load that a server has to bear.
type Load = fn(&Served, &Size);

const LOADS: [(&str, Load); 6] = [
    ("slow_clients", slow::clients),
    ("half_open_connections", slow::half_open),
    ("kept_connections", held::all),
    ("requests_in_a_row", clients::in_a_row),
    ("clients_stop_and_vanish", stopped::all),
    ("malformed_requests", malformed::all),
];

fn main() -> ExitCode {
    if let Some(name) = std::env::var_os(stopped::CLIENT) {
        return stopped::client(&name.to_string_lossy());
    }
    let mut checks = Vec::new();
    for kind in KINDS {
        let some = move |platform| {
            on(platform, kind, &SMALL, |served| LOADS.iter().for_each(|(_, load)| served.bears(*load, &SMALL)))
        };
        let check = Check::new(format!("{}_bears_some_of_all", kind.name), Scope::GuestsAtRing0, some);
        checks.push(check.long_where(Platform::is_pc));
        for (name, load) in LOADS {
            let size = if name == "kept_connections" { &KEPT } else { &LARGE };
            let all = move |platform| on(platform, kind, size, move |served| served.bears(load, size));
            let name = format!("{}_bears_{name}", kind.name);
            checks.push(Check::new(name, Scope::GuestsAtRing0, all).long());
        }
    }
    let limit = |name, body: fn(Platform)| Check::new(name, Scope::GuestsAtRing0, body).long_where(Platform::is_pc);
    checks.extend([
        limit("redis_on_a_full_share_goes_on", limits::redis_on_a_full_share),
        limit("nginx_on_a_full_share_goes_on", limits::nginx_on_a_full_share),
        limit("a_host_without_descriptors_is_borne", limits::descriptors),
        limit("redis_without_memory_says_why_it_ends", limits::memory),
        limit("redis_with_a_limit_of_its_own_goes_on", limits::own_limit),
    ]);
    system_tests::run(&checks)
}
