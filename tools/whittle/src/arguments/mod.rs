//! What may stand on the command line, with its help: one declaration, from which parsing and help come.

mod bench;
mod images;
mod network;
mod run;
mod services;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use rustix::process::geteuid;

pub use bench::{Bench, Boot, Compare, Compute, Files, Net, Reference, Servers};
pub use images::{Asked, Build, Eject, Inspect, Kind, New, Syscalls, Walk};
pub use network::Network;
pub use run::{Accelerator, Machine, Platform, Run, SystemCalls, Trace, system_calls};
pub use services::{Exec, Logs, Ps, Service, Stop, Top};

const STYLES: &str = "\
Examples:
  whittle run apps/hello                            build a Rust program and run it
  whittle run -- /bin/busybox echo hello            run any Linux program
  whittle run --platform pc -- /bin/busybox sh      the same on a virtual machine (QEMU)
  whittle run -v .:/data -- /bin/busybox ls /data   with files of yours inside
  whittle run -p 8080:80 -- python3 -m http.server 80   with a port that others reach
  whittle run --detach --name web -- nginx          in the background; see ps, logs and stop
  whittle inspect linux --html linux.html           where the bytes of an image come from, as a page";

/// Whittle turns a Linux program into a unikernel: the program and just the operating-system parts it needs.
#[derive(Debug, Parser)]
#[command(name = "whittle", version, about, after_help = STYLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub action: Action,
}

/// The command's verbs.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Run a Linux program as a unikernel
    Run(Box<Run>),
    /// List the machines that have names, which `run --detach` and `run --name` give
    Ps(Ps),
    /// Show what a machine in the background has printed
    Logs(Logs),
    /// End machines by SIGTERM, and by force when that does not end them
    Stop(Stop),
    /// Show processor time and memory of machines that have names
    Top(Top),
    /// Say why nothing more is started in a machine that runs
    Exec(Exec),
    /// Build the image that a folder's whittle.toml describes
    Build(Build),
    /// Make a folder for a program of yours, with its whittle.toml, or for a component
    New(New),
    /// Take over the program that `build` writes: it becomes a crate of yours
    Eject(Eject),
    /// List the parts an image may have
    Components {
        /// Only those that provide this contract
        contract: Option<String>,
        /// Print JSON rather than a table
        #[arg(long)]
        json: bool,
        /// Whose components are listed, too: those in [crates] of its whittle.toml [default: here, if there is one]
        #[arg(long, value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// Explain a component, contract, platform, kind, setting or system call
    Explain {
        /// What to explain
        name: String,
        /// Whose components are known, too: those in [crates] of its whittle.toml [default: here, if there is one]
        #[arg(long, value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// Answer starts whether sources have changed: what a start leaves behind
    #[command(hide = true, name = crate::fresh::WATCH)]
    WatchSources {
        /// The stamps beside what was built from those sources
        stamps: Vec<PathBuf>,
    },
    /// Choose an image's parts in a terminal menu, which edits the folder's whittle.toml
    Menu {
        /// The folder with the whittle.toml, or an image that was built from it
        #[arg(default_value = ".")]
        folder: PathBuf,
    },
    /// Show what an image is made of: its components, and where each of its bytes comes from
    Inspect(Inspect),
    /// Pack a folder's files into an image of hashed files, which a native program opens without directories
    Pack {
        /// The folder; names are paths from there
        folder: PathBuf,
        /// The image to write
        image: PathBuf,
    },
    /// List the source files that a read, a page fault or a byte of output passes in the kernel
    Walk(Walk),
    /// List the system calls and what is there of each, or what a program would miss
    Syscalls(Syscalls),
    /// Check format, lints, layers, unsafe code and the host tests
    Check,
    /// Check, then run the whole-system tests on every platform of this machine
    Test(Test),
    /// Measure
    #[command(subcommand)]
    Bench(Bench),
    /// Put the command, its images, its sources and its book below a prefix, for every user of this machine
    Install(Install),
    /// Make the same as one archive that runs wherever it is unpacked, and as a Debian package
    Dist {
        /// The folder to write both into
        #[arg(default_value = "target/dist")]
        folder: PathBuf,
    },
    /// Print a shell's completions, to be read by it: `. <(whittle completions bash)`
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the manual pages, one a verb, into a folder
    Man {
        /// The folder
        folder: PathBuf,
    },
}

/// `whittle install`.
#[derive(Debug, Args)]
pub struct Install {
    /// Where to [default: /usr/local for root, else ~/.local]
    #[arg(long, value_name = "DIR")]
    pub prefix: Option<PathBuf>,
    /// Take away what was installed there
    #[arg(long)]
    pub remove: bool,
}

impl Install {
    /// The prefix that was asked for, or the usual one.
    #[must_use]
    pub fn prefix(&self) -> PathBuf {
        let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local"));
        let usual = || if geteuid().is_root() { None } else { home() }.unwrap_or_else(|| "/usr/local".into());
        self.prefix.clone().unwrap_or_else(usual)
    }
}

/// Shells that completions are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// GNU's.
    Bash,
    /// The friendly one.
    Fish,
    /// The Z shell.
    Zsh,
}

/// `whittle test`.
#[derive(Debug, Args)]
pub struct Test {
    /// The long versions too: fuzzing by the minute, torture
    #[arg(long)]
    pub all: bool,
    /// Name what is left to --all
    #[arg(long)]
    pub verbose: bool,
}
