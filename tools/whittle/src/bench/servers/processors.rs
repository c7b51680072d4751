//! What servers with threads gain from a second processor: on process beside this Linux, and on pc under emulation, where
//! each processor is a thread of QEMU's.

use std::time::Duration;

use serde_json::json;

use super::super::net::{ADDRESS, Ours, TAP, enter_namespace, make_tap_of_queues};
use super::super::rounds::{Measure, Reading, Side, interleave};
use super::super::table::Table;
use super::drive::drive;
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

/// Where the server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Process,
    Linux,
    Pc,
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
        Reference::No => vec![Place::Process, Place::Pc],
        _ => vec![Place::Process, Place::Linux, Place::Pc],
    };
    let names: Vec<String> =
        CASES.iter().filter(|case| servers.contains(&case.load.server)).map(|case| case.name.to_owned()).collect();
    let mut tables = Vec::new();
    for place in places {
        tables.push(table(house, &files, place, &names, wanted.rounds.unwrap_or(ROUNDS))?);
    }
    if wanted.json {
        println!("{:#}", json!(tables.iter().map(Table::json).collect::<Vec<_>>()));
    } else {
        print!("{}", tables.iter().map(Table::text).collect::<Vec<_>>().join("\n"));
    }
    bars::draw(&tables.iter().collect::<Vec<_>>(), wanted.plot.as_deref())
}

/// One processor beside two, in turn.
fn table(house: &House, files: &Files, place: Place, names: &[String], rounds: usize) -> Result<Table, Failure> {
    let side = |processors: usize| {
        let measure: Measure<'_> = Box::new(move |name| {
            let case = CASES.iter().find(|case| case.name == name);
            let case = case.ok_or_else(|| Failure::ours(format!("nobody serves {name}")))?;
            rate(house, files, place, case, processors)
        });
        Side { heading: format!("{processors}"), measure }
    };
    let mut sides = PROCESSORS.map(side);
    let what = match place {
        Place::Process => "requests per second, process, by processors",
        Place::Linux => "requests per second, Linux, by processors",
        Place::Pc => "requests per second, pc emulated, by processors",
    };
    let mut tell = |round| eprintln!("whittle: {what}: round {} of {rounds}", round + 1);
    let rows = interleave(rounds, names, &mut sides, &mut tell)?;
    Ok(Table {
        what: "servers-processors",
        unit: what,
        headings: PROCESSORS.map(|processors| processors.to_string()).to_vec(),
        reference: Some(0),
        rows: names.iter().cloned().zip(rows).collect(),
        notes: vec![
            "More is better, and the ratio is the gain. The client takes up to a processor of the same host's.".into(),
        ],
    })
}

fn rate(house: &House, files: &Files, place: Place, case: &Case, processors: usize) -> Result<Reading, Failure> {
    let server = (case.load.server, if case.has_threads { processors } else { 1 });
    let count = processors.to_string();
    match place {
        Place::Process => {
            let link = Link::Published;
            let _machine = sides::process(house, files, server, link, &["--cpus", &count])?;
            asked(case.load, link)
        }
        Place::Pc => {
            let options = [&EMULATED[..], &["--memory", "256M", "--cpus", &count]].concat();
            let _machine = Ours::of(sides::command(house, files, server, Link::Tap, &options)?)?;
            asked(case.load, Link::Tap)
        }
        Place::Linux => {
            let _server = sides::native_on(files, server, processors)?;
            asked(case.load, Link::Published)
        }
    }
}

fn asked(load: Load, link: Link) -> Result<Reading, Failure> {
    let (at, doing) = (link.address(), || format!("ask a server for {}", load.name()));
    load.prepare(at).doing(doing())?;
    drive(load, at, CONNECTIONS, WARM_UP).doing(doing())?;
    Ok(Reading::Samples(vec![drive(load, at, CONNECTIONS, COUNTS).doing(doing())?.rate()]))
}
