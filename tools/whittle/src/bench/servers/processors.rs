//! What servers with threads gain from a second processor: on process beside this Linux, and on pc under emulation,
//! where each processor is a thread of QEMU's.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;

use super::super::net::{ADDRESS, Counter, Ours, TAP, enter_namespace, make_tap_of_queues};
use super::super::rounds::{Measure, Reading, Side, interleave};
use super::super::table::Table;
use super::drive::{Driven, drive};
use super::family::threads;
use super::files::Files;
use super::load::Load;
use super::server::Server;
use super::sides::{self, Link};
use super::start::EMULATED;
use super::{bars, chosen};
use crate::arguments::{Platform, Reference, Servers};
use crate::compose::rebuild_image;
use crate::failure::{Doing, Failure};
use crate::house::House;
use crate::setup;

/// What is asked, whose threads are as many as the processors, or one.
struct Case {
    name: &'static str,
    load: Load,
    has_threads: bool,
}

const CASES: [Case; 4] = [
    Case { name: "memcached -t, get", load: Load::of(Server::Memcached), has_threads: true },
    Case {
        name: "redis io-threads, GET, pipeline 16",
        load: Load { server: Server::Redis, sets: false, pipeline: 16 },
        has_threads: true,
    },
    Case { name: "Go, one listener", load: Load::of(Server::Go), has_threads: false },
    Case { name: "Go, SO_REUSEPORT", load: Load::of(Server::Go), has_threads: true },
];
/// Processors.
const PROCESSORS: [usize; 2] = [1, 2];
/// Connections: those of a listener go to its threads in turn, or by chance.
const CONNECTIONS: usize = 32;
/// Rounds unless told otherwise.
const ROUNDS: usize = 5;
/// How long each is asked before, and while it counts.
const WARM_UP: Duration = Duration::from_secs(1);
const COUNTS: Duration = Duration::from_secs(3);

/// Where the server is, and what is measured of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Process,
    Linux,
    BusiestOfProcess,
    BusiestOfPc,
}

impl Place {
    const fn unit(self) -> &'static str {
        match self {
            Self::Process => "requests per second, process, by processors",
            Self::Linux => "requests per second, Linux, by processors",
            Self::BusiestOfProcess => "nanoseconds per request, busiest processor of process",
            Self::BusiestOfPc => "instructions per request, busiest processor of pc",
        }
    }

    const fn note(self) -> &'static str {
        match self {
            Self::Process | Self::Linux => {
                "More is better, and the ratio is the gain. The client takes up to a processor of the same host's."
            }
            Self::BusiestOfProcess | Self::BusiestOfPc => {
                "Less is better: half is twice as many requests, where processors have the host's for themselves."
            }
        }
    }
}

/// What all of it needs.
struct Bench<'a> {
    house: &'a House,
    files: Files,
    counter: Counter,
}

/// Measures and prints.
pub fn processors(house: &House, wanted: &Servers) -> Result<(), Failure> {
    let servers = chosen(&[Server::Memcached, Server::Redis, Server::Go], &wanted.only)?;
    setup::things(&["taskset", "qemu-system-x86_64"])?;
    let files = Files::make(house, &servers)?;
    for platform in [Platform::Pc, Platform::Process] {
        rebuild_image(house, platform.name())?;
    }
    enter_namespace()?;
    make_tap_of_queues(TAP, ADDRESS)?;
    let places = match wanted.reference {
        Reference::No => vec![Place::Process, Place::BusiestOfProcess, Place::BusiestOfPc],
        _ => vec![Place::Process, Place::Linux, Place::BusiestOfProcess, Place::BusiestOfPc],
    };
    let names: Vec<String> =
        CASES.iter().filter(|case| servers.contains(&case.load.server)).map(|case| case.name.to_owned()).collect();
    let bench = Bench { house, files, counter: Counter::build(house)? };
    let mut tables = Vec::new();
    for place in places {
        tables.push(table(&bench, place, &names, wanted.rounds.unwrap_or(ROUNDS))?);
    }
    if wanted.json {
        println!("{:#}", json!(tables.iter().map(Table::json).collect::<Vec<_>>()));
    } else {
        print!("{}", tables.iter().map(Table::text).collect::<Vec<_>>().join("\n"));
    }
    bars::draw(&tables.iter().collect::<Vec<_>>(), wanted.plot.as_deref())
}

/// One processor beside two, in turn.
fn table(bench: &Bench<'_>, place: Place, names: &[String], rounds: usize) -> Result<Table, Failure> {
    let side = |processors: usize| {
        let measure: Measure<'_> = Box::new(move |name| {
            let case = CASES.iter().find(|case| case.name == name);
            let case = case.ok_or_else(|| Failure::ours(format!("nobody serves {name}")))?;
            measured(bench, place, case, processors)
        });
        Side { heading: format!("{processors}"), measure }
    };
    let mut sides = PROCESSORS.map(side);
    let what = place.unit();
    let mut tell = |round| eprintln!("whittle: {what}: round {} of {rounds}", round + 1);
    let rows = interleave(rounds, names, &mut sides, &mut tell)?;
    Ok(Table {
        what: "servers-processors",
        unit: what,
        headings: PROCESSORS.map(|processors| processors.to_string()).to_vec(),
        reference: Some(0),
        rows: names.iter().cloned().zip(rows).collect(),
        notes: vec![place.note().into()],
    })
}

fn measured(bench: &Bench<'_>, place: Place, case: &Case, processors: usize) -> Result<Reading, Failure> {
    let Bench { house, files, counter } = bench;
    let server = (case.load.server, if case.has_threads { processors } else { 1 });
    let count = processors.to_string();
    let value = match place {
        Place::Process => {
            let _machine = sides::process(house, files, server, Link::Published, &["--cpus", &count])?;
            asked(case.load, Link::Published)?.rate()
        }
        Place::Linux => {
            let _server = sides::native_on(files, server, processors)?;
            asked(case.load, Link::Published)?.rate()
        }
        Place::BusiestOfProcess => {
            let machine = sides::process(house, files, server, Link::Tap, &["--cpus", &count])?;
            busiest(case.load, || Ok(threads(machine.id())))?
        }
        Place::BusiestOfPc => {
            let plugin = counter.words()?;
            let options = [&EMULATED[..], &["--memory", "256M", "--cpus", &count, "--plugin", &plugin]].concat();
            let _machine = Ours::of(sides::command(house, files, server, Link::Tap, &options)?)?;
            busiest(case.load, || Ok((0..).zip(counter.processors()?).collect()))?
        }
    };
    Ok(Reading::Samples(vec![value]))
}

/// What the busiest processor does for a request, of what `look` says that each has done.
fn busiest(load: Load, look: impl Fn() -> Result<BTreeMap<u32, u64>, Failure>) -> Result<f64, Failure> {
    warm(load, Link::Tap)?;
    let before = look()?;
    let driven = counted(load, Link::Tap)?;
    let since = |(processor, now): (&u32, &u64)| now.saturating_sub(before.get(processor).copied().unwrap_or(0));
    let most = look()?.iter().map(since).max().unwrap_or(0);
    Ok(most as f64 / driven.requests.max(1) as f64)
}

fn asked(load: Load, link: Link) -> Result<Driven, Failure> {
    warm(load, link)?;
    counted(load, link)
}

fn warm(load: Load, link: Link) -> Result<(), Failure> {
    let doing = || format!("ask a server for {}", load.name());
    load.prepare(link.address()).doing(doing())?;
    drive(load, link.address(), CONNECTIONS, WARM_UP).doing(doing()).map(drop)
}

fn counted(load: Load, link: Link) -> Result<Driven, Failure> {
    drive(load, link.address(), CONNECTIONS, COUNTS).doing(format!("ask a server for {}", load.name()))
}
