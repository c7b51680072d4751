//! Servers that people run, as Debian's packages have them: each is asked by its own kind of client, on Linux and
//! inside, and the answers are the same. A table says which: a file for each kind.

mod brokers;
mod languages;
mod redis;
mod server;
mod web;

use std::process::ExitCode;
use std::time::Duration;

use system_tests::{Check, Scope};

/// For anything to happen, on a busy machine.
const LIMIT: Duration = Duration::from_secs(180);

fn main() -> ExitCode {
    let all = [redis::ALL, web::ALL, brokers::ALL, languages::ALL].concat();
    let check = |server: &'static server::Server| {
        let check = Check::new(server.name, Scope::GuestsAtRing0, move |platform| server.check(platform));
        check.long_where(move |platform| server.is_long || platform.is_pc())
    };
    system_tests::run(&all.into_iter().map(check).collect::<Vec<_>>())
}
