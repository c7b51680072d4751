//! What is told about machines that run for long: the options of `whittle run` for them, and the verbs that find them
//! again.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, value_parser};

use crate::words::{HealthUrl, Name, Restart};

/// How a machine lives as a service.
#[derive(Debug, Clone, Default, Args)]
pub struct Service {
    /// Run in the background and print the machine's name; see `whittle ps`, `logs` and `stop`
    #[arg(long, short, conflicts_with = "gdb")]
    pub detach: bool,
    /// The machine's name for `whittle ps`, `logs`, `stop` and `top` [default with --detach: the program's]
    #[arg(long, value_name = "NAME")]
    pub name: Option<Name>,
    /// Start the machine anew when it ends with another status than 0, N times in a row at the most; the pause between
    /// grows from 0.1 to 30 seconds
    #[arg(long, value_name = "on-failure[:N]")]
    pub restart: Option<Restart>,
    /// Ask this of the program again and again, on a published port; statuses from 200 to 399 are healthy
    #[arg(long, value_name = "http://HOST:PORT/PATH")]
    pub health: Option<HealthUrl>,
    /// Seconds between two such questions [default: 10]
    #[arg(long, value_name = "SECONDS", requires = "health", value_parser = value_parser!(u16).range(1..=3600))]
    pub health_interval: Option<u16>,
    /// Keep the number of the process that takes the machine's signals in this file, while it runs
    #[arg(long, value_name = "FILE")]
    pub pid_file: Option<PathBuf>,
}

impl Service {
    /// Whether any of its options is given.
    #[must_use]
    pub fn is_given(&self) -> bool {
        let Self { detach, name, restart, health, health_interval: _, pid_file } = self;
        *detach || name.is_some() || restart.is_some() || health.is_some() || pid_file.is_some()
    }
}

/// `whittle ps`.
#[derive(Debug, Args)]
pub struct Ps {
    /// Those that have ended, too
    #[arg(long, short)]
    pub all: bool,
    /// Print JSON rather than a table
    #[arg(long)]
    pub json: bool,
}

/// `whittle logs`.
#[derive(Debug, Args)]
pub struct Logs {
    /// Go on with what it prints from now on, until it ends
    #[arg(long, short)]
    pub follow: bool,
    /// The machine's name
    pub name: Name,
}

/// `whittle stop`.
#[derive(Debug, Args)]
pub struct Stop {
    /// Seconds that a machine has from SIGTERM to its end, before it is ended by force
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = value_parser!(u16).range(0..=3600))]
    pub time: u16,
    /// Forget them as well: their statuses and what they printed
    #[arg(long)]
    pub forget: bool,
    /// The machines' names
    #[arg(value_name = "NAME", required = true)]
    pub names: Vec<Name>,
}

/// `whittle top`.
#[derive(Debug, Args)]
pub struct Top {
    /// Print one table, of the second that begins now, and end
    #[arg(long)]
    pub once: bool,
}

/// `whittle exec`.
#[derive(Debug, Args)]
pub struct Exec {
    /// The machine's name
    pub name: Name,
    /// What would be started there
    #[arg(value_name = "PROGRAM", trailing_var_arg = true, allow_hyphen_values = true)]
    pub command: Vec<OsString>,
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        service: Service,
    }

    fn service(words: &[&str]) -> Result<Service, clap::Error> {
        // `--gdb` is an option of the run's.
        let words = ["run"].iter().chain(words);
        <Words as clap::CommandFactory>::command()
            .arg(clap::Arg::new("gdb").long("gdb").action(clap::ArgAction::SetTrue))
            .try_get_matches_from(words)
            .map(|matches| <Words as clap::FromArgMatches>::from_arg_matches(&matches).unwrap().service)
    }

    #[test]
    fn every_option_is_understood() {
        assert!(!service(&[]).unwrap().is_given());
        let words = ["--detach", "--name", "web", "--restart", "on-failure:3", "--pid-file", "/run/web.pid"];
        let health = ["--health", "http://127.0.0.1:8080/", "--health-interval", "2"];
        let service = service(&[&words[..], &health].concat()).unwrap();
        assert!(service.is_given() && service.detach && service.health.is_some());
        assert_eq!((service.restart, service.health_interval), (Some(Restart { most: Some(3) }), Some(2)));
    }

    #[test]
    fn nonsense_is_refused() {
        for words in [
            &["--name", "../x"][..],
            &["--restart", "always"],
            &["--health", "https://127.0.0.1/"],
            &["--health-interval", "2"],
            &["--detach", "--gdb"],
        ] {
            assert!(service(words).is_err(), "{words:?}");
        }
    }
}
