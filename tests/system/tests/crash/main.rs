//! Machines killed while a program writes: what it was told to be written is there, and opens as after a kill on Linux.
//! So it is for files and a database on a share, and for servers and what their clients were told.
//!
//! A few kills on each platform; `WHITTLE_TEST_ALL=1` makes them 200, `WHITTLE_TEST_KILLS=N` any other number.

mod files;
mod kill;
mod redis;
mod servers;
mod sqlite;

use std::process::ExitCode;
use std::time::Duration;

use system_tests::{Check, Platform, Scope, all};

fn main() -> ExitCode {
    let check = |name, body: fn(Platform)| Check::new(name, Scope::GuestsAtRing0, body);
    system_tests::run(&[
        check("nothing_acknowledged_is_lost", files::kills),
        check("redis_loses_nothing_acknowledged", redis::on_a_share),
        check("redis_on_a_disk_loses_nothing_acknowledged", redis::on_a_disk),
        check("a_service_with_sqlite_loses_nothing_acknowledged", sqlite::on_a_share),
    ])
}

/// How long a machine writes at most before it is killed.
const LONGEST: Duration = Duration::from_millis(1500);
/// Kills that what is kept sees: with what it grows, looking at it takes longer than writing.
const ROUNDS: usize = 25;
const START: Duration = Duration::from_secs(120);
/// For the command to see that its machine is gone.
const END: Duration = Duration::from_secs(20);

fn count() -> usize {
    let asked = std::env::var("WHITTLE_TEST_KILLS").ok().and_then(|number| number.parse().ok());
    asked.unwrap_or(if all() { 200 } else { 4 })
}
