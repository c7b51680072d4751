//! The life of a service: machines with names, in the background or under a supervisor of the host's.
//!
//! | module | what it does |
//! |---|---|
//! | [`state`] | the folder with a folder for each named machine, and who may change what in it |
//! | [`record`] | what is known of a machine, as a file |
//! | [`detach`] | `run --detach`: what stays in the foreground until the machine has started |
//! | [`keeper`], [`kept`] | the process that starts a machine, again if it is to, and what it knows of it |
//! | [`watch`] | what a keeper does meanwhile: readiness, health, the length of the log |
//! | [`health`], [`ready`], [`notify`] | asking a program, knowing that it listens, telling systemd |
//! | [`pauses`], [`pid_file`], [`log`] | pauses before starts anew, the file with the process number, what was printed |
//! | [`ps`], [`logs`], [`stop`], [`top`] | the verbs |
//! | [`processes`] | what the host tells of processes |
//!
//! A machine's keeper holds a lock on a file in the machine's folder (flock(2)) for as long as it lives. So whoever
//! looks knows without trusting a process number whether it does. The machine itself ends with its keeper
//! (PR_SET_PDEATHSIG).

mod detach;
mod health;
mod keeper;
mod kept;
mod log;
mod logs;
mod notify;
mod pauses;
mod pid_file;
mod processes;
mod ps;
mod ready;
mod record;
mod state;
mod stop;
mod top;
mod watch;

pub use logs::logs;
pub use processes::resident;
pub use ps::ps;
pub use stop::stop;
pub use top::top;

use crate::arguments::{Exec, Run};
use crate::failure::Failure;
use crate::fresh::{Look, rebuild_command};
use crate::house::House;
use crate::run::{self, Nobody};
use state::State;

/// Runs a program to its end, or leaves it running in the background; returns the exit status.
pub fn run(house: &House, run: Run) -> Result<u8, Failure> {
    if !run.service.is_given() && !notify::is_wanted() {
        return run::run(house, run, &mut Nobody).map(|outcome| outcome.status);
    }
    let report = detach::report()?;
    if report.is_none() {
        // The keeper outlives a look at sources.
        rebuild_command(house, &mut Look::alone(house))?;
        if run.service.detach {
            return detach::leave();
        }
    }
    keeper::keep(house, run, report)
}

/// Why a second program is not started in a machine.
pub fn exec(words: &Exec) -> Result<u8, Failure> {
    let entry = State::find()?.entry(&words.name)?;
    let (name, program) = (entry.name, entry.record.program);
    Err(Failure::ours(format!(
        "exec: a machine has one process, and that of {name} is {program}; \
         start a second machine, with -v for the files that both are to have, and -p for their way to each other"
    )))
}
