//! Machines with names: in the background, found again, ended, started anew, asked whether they are well; and the
//! profiles of servers.

mod home;
mod life;
mod profiles;
mod ready;

use std::process::ExitCode;
use std::time::Duration;

use system_tests::{Check, Platform, Scope};

/// For anything to happen, on a busy machine where images may have to be built first.
const LIMIT: Duration = Duration::from_secs(600);
const PYTHON: &str = "/usr/bin/python3";

fn main() -> ExitCode {
    let guests = Scope::GuestsAtRing0;
    let mut checks = vec![
        Check::new("one_is_started_found_and_stopped", guests, life::is_started_found_and_stopped),
        Check::new("one_that_does_not_end_is_killed", guests, life::is_killed),
        Check::new("a_keeper_that_is_killed_leaves_nothing", guests, life::killed_keeper),
        Check::new("a_keeper_that_is_killed_at_any_moment", guests, life::killed_at_any_moment)
            .long_where(Platform::is_pc),
        Check::new("a_machine_that_is_killed_is_a_failure", guests, life::killed_machine),
        Check::new("one_that_fails_is_started_anew", guests, life::is_started_anew),
        Check::new("one_that_waits_for_its_next_start_is_stopped", Scope::Once, life::is_stopped_in_its_pause),
        Check::new("one_in_the_foreground_has_a_name_too", Scope::Once, life::in_the_foreground),
        Check::new("one_in_the_background_has_no_terminal", guests, life::started_on_a_terminal),
        Check::new("what_cannot_be_is_refused", Scope::Once, life::refusals),
        Check::new("top_shows_what_they_take", Scope::Once, life::top),
        Check::new("it_is_ready_when_it_listens", guests, ready::listens),
        Check::new("it_is_ready_when_it_is_well", guests, ready::is_well),
        Check::new("a_users_profile_comes_first", Scope::Once, profiles::users),
    ];
    let of_server = |server: &'static profiles::Server| {
        Check::new(format!("the_profile_of_{}", server.name), guests, move |platform| server.check(platform))
    };
    checks.extend(profiles::SERVERS.iter().map(of_server));
    system_tests::run(&checks)
}
