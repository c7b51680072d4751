//! Real programs talk over every way a machine has to the world: servers inside with clients outside, and clients
//! inside with servers outside. Two tables say which: [`servers`] and [`clients`].
//!
//! Each test has a network namespace of its own. What is outside of the machine is an address there.

mod clients;
mod ending;
mod families;
mod outside;
mod sendfile;
mod servers;
mod ways;

use std::process::ExitCode;
use std::time::Duration;

use system_tests::{Check, Scope};
use ways::Way;

/// For whatever goes over a network: machines are shared and slow, and emulated ones start a JDK in a minute.
const LIMIT: Duration = Duration::from_secs(180);
const PYTHON: &str = "/usr/bin/python3";

fn main() -> ExitCode {
    let mut checks = Vec::new();
    for way in Way::ALL {
        for server in servers::ALL {
            let name = format!("{}_serves_{}", server.name, way.name());
            let check = Check::new(name, Scope::GuestsAtRing0, move |platform| servers::check(server, platform, way));
            checks.push(check.long_where(move |platform| server.is_long(platform, way)));
        }
        let name = format!("clients_ask_{}", way.name());
        let check = Check::new(name, Scope::GuestsAtRing0, move |platform| clients::check(platform, way));
        checks.push(check.long_where(move |platform| platform.is_pc() || way == Way::Passt));
        let name = format!("a_program_ends_{}", way.name());
        let check = Check::new(name, Scope::GuestsAtRing0, move |platform| ending::check(platform, way));
        checks.push(check.long_where(move |platform| platform.is_pc() || way == Way::Passt));
        let name = format!("both_families_go_both_ways_{}", way.name());
        let check = Check::new(name, Scope::GuestsAtRing0, move |platform| families::check(platform, way));
        checks.push(check.long_where(move |platform| platform.is_pc() || way == Way::Passt));
        let name = format!("a_file_is_sent_{}", way.name());
        let check = Check::new(name, Scope::GuestsAtRing0, move |platform| sendfile::check(platform, way));
        checks.push(check.long_where(move |platform| platform.is_pc() || way != Way::Published));
    }
    system_tests::run(&checks)
}
