//! The whittle command: runs programs as unikernels, checks the repository, tests it and measures it.
//!
//! | module | what it does |
//! |---|---|
//! | [`arguments`] | the command line and its help |
//! | [`compose`] | whittle.toml: which parts make an image, and the image built |
//! | [`fresh`] | rebuilds what changed, without asking cargo when nothing did |
//! | [`run`] | `whittle run`: finds the program, sizes the memory, starts the machine |
//! | [`profiles`] | what a server needs to be told to run well in one process |
//! | [`pack`] | the guest's file system as an archive |
//! | [`menu`] | `whittle menu`: the same choices in a terminal menu |
//! | [`inspect`] | `whittle inspect`: what an image is made of, byte by byte |
//! | [`install`] | `whittle install` and `dist`: everything in a prefix, an archive, a Debian package |
//! | [`mod@libc`] | a C library whose system calls are calls, built from Debian's source of musl |
//! | [`machine`] | the machines, their console, their records |
//! | [`services`] | machines in the background: `ps`, `logs`, `stop`, `top`, restarts, health |
//! | [`setup`] | what is wanted of the machine: packages |
//! | [`syscalls`] | `whittle syscalls`: which system calls there are, and what a program would miss |
//! | [`words`] | what all of them talk of: amounts of memory, shares, disks, network interfaces |
//! | [`manual`] | manual pages and completions, from the command line's declaration |
//! | [`check`], [`suite`], [`bench`] | `whittle check`, `test` and `bench` |
#![deny(unsafe_code)]

pub mod arguments;
pub mod bench;
pub mod check;
mod child;
pub mod compose;
mod debugger;
pub mod failure;
pub mod folder;
pub mod fresh;
mod hashed;
pub mod host;
pub mod house;
pub mod inspect;
pub mod install;
pub mod libc;
pub mod machine;
mod manual;
pub mod menu;
pub mod pack;
pub mod profiles;
pub mod run;
pub mod services;
pub mod setup;
mod signals;
mod sites;
pub mod suite;
pub mod syscalls;
mod tap;
mod terminal;
mod walk;
mod whole;
pub mod words;

use arguments::{Action, Arguments};
use clap::Parser;
use clap::error::ErrorKind;
use compose::commands;
use failure::{Failure, OURS};
use fresh::Look;
use house::House;

/// Does what the command line says; returns the exit status.
#[must_use]
pub fn main() -> u8 {
    act().unwrap_or_else(|failure| {
        eprintln!("whittle: {failure}");
        failure.status
    })
}

fn act() -> Result<u8, Failure> {
    let house = House::find()?;
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // A newer command may know better.
            fresh::rebuild_command(&house, &mut Look::alone(&house))?;
            return Ok(explain(&error));
        }
    };
    if let Action::Run(run) = arguments.action {
        return services::run(&house, *run);
    }
    if let Action::WatchSources { stamps } = arguments.action {
        return fresh::watch_sources(&house, &stamps).map(|()| 0);
    }
    fresh::rebuild_command(&house, &mut Look::alone(&house))?;
    match arguments.action {
        Action::Build(build) if build.all => commands::build_all(&house).map(|()| 0),
        Action::Build(build) => commands::build(&house, &build).map(|()| 0),
        Action::New(new) => commands::new(&house, &new.folder, new.kind).map(|()| 0),
        Action::Eject(eject) => commands::eject(&house, &eject.folder, eject.platform.as_deref()).map(|()| 0),
        Action::Components { contract, json, folder } => {
            commands::components(&house, contract.as_deref(), json, folder.as_deref()).map(|()| 0)
        }
        Action::Install(words) if words.remove => install::remove(&words.prefix()).map(|()| 0),
        Action::Install(words) => install::install(&house, &words.prefix()).map(|()| 0),
        Action::Dist { folder } => install::dist(&house, &folder).map(|()| 0),
        Action::Completions { shell } => manual::completions(shell).map(|()| 0),
        Action::Man { folder } => manual::write_pages(&folder).map(|()| 0),
        Action::Explain { name, folder } => commands::explain(&house, &name, folder.as_deref()).map(|()| 0),
        Action::Menu { folder } => menu::menu(&house, &folder),
        Action::Inspect(words) => inspect::inspect(&house, &words).map(|()| 0),
        Action::Pack { folder, image } => hashed::pack(&folder, &image).map(|()| 0),
        Action::Walk(words) => walk::walk(&house, &words).map(|()| 0),
        Action::Syscalls(words) => syscalls::syscalls(&words).map(|()| 0),
        Action::Ps(words) => services::ps(&words).map(|()| 0),
        Action::Logs(words) => services::logs(&words).map(|()| 0),
        Action::Stop(words) => services::stop(&words),
        Action::Top(words) => services::top(&words),
        Action::Exec(words) => services::exec(&words),
        Action::Run(_) | Action::WatchSources { .. } | Action::Check => Ok(check::check(&house)),
        Action::Test(test) => Ok(suite::test(&house, &test)),
        Action::Bench(bench) => bench::bench(&house, &bench).map(|()| 0),
    }
}

/// Prints help where it was asked for, or what is wrong with the command line.
fn explain(error: &clap::Error) -> u8 {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // In colour where somebody sees it. Whoever does not read to the end has read enough.
        let _ = error.print();
        return 0;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        eprint!("{error}");
    } else {
        eprintln!("whittle: {}", one_line(&error.to_string()));
    }
    OURS
}

/// clap's paragraphs as one sentence.
fn one_line(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let words =
        text.split("\n\nUsage:").next().unwrap_or(text).split("\n\nFor more information").next().unwrap_or(text);
    let parts: Vec<&str> = words.split("\n\n").map(str::trim).filter(|part| !part.is_empty()).collect();
    let line = parts.join("; ").split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{line}; see --help")
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn what_is_wrong_with_the_command_line_fits_on_one_line() {
        let text =
            "error: unexpected argument '--x' found\n\n  tip: say\n y\n\nUsage: whittle\n\nFor more information\n";
        assert_eq!(one_line(text), "unexpected argument '--x' found; tip: say y; see --help");
    }
}
