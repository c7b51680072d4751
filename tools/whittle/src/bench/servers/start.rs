//! From a start to the first answer: instructions on pc beside a Linux guest, time on process and on pc, least memory.

use std::process::Stdio;
use std::time::Instant;

use serde_json::json;

use super::super::guest::{self, Served};
use super::super::net::{ADDRESS, Counter, Ours, TAP, enter_namespace, make_tap, open_tap};
use super::super::rounds::{Cell, Measure, Reading, Side, interleave};
use super::super::table::Table;
use super::answer::{Patience, first};
use super::files::Files;
use super::load::Load;
use super::server::Server;
use super::sides::{self, Link};
use super::{bars, chosen, least};
use crate::arguments::{Platform, Reference, Servers};
use crate::compose::rebuild_image;
use crate::failure::Failure;
use crate::house::House;

/// The servers.
const SERVERS: [Server; 5] = [Server::Redis, Server::Nginx, Server::Node, Server::Java, Server::Go];
/// Rounds of times unless told otherwise.
const ROUNDS: usize = 5;
/// Bytes of memory that are enough for a Linux guest.
pub const MEMORY: u64 = 2 << 30;
/// Machines without firmware to speak of, under emulation.
pub const EMULATED: [&str; 4] = ["--platform", "pc", "--accel", "tcg"];

/// Sides of most tables.
const BESIDE: [&str; 2] = ["pc", "Linux guest"];

/// What makes a table.
type Part<'a> = &'a dyn Fn() -> Result<Table, Failure>;

/// Measures and prints.
pub fn start(house: &House, wanted: &Servers) -> Result<(), Failure> {
    let servers = chosen(&SERVERS, &wanted.only)?;
    let (counter, files) = (Counter::build(house)?, Files::make(house, &servers)?);
    for platform in [Platform::Pc, Platform::Process] {
        rebuild_image(house, platform.name())?;
    }
    let has_reference = wanted.reference != Reference::No;
    if has_reference {
        guest::fetch(house)?;
    }
    enter_namespace()?;
    make_tap(TAP, ADDRESS)?;
    sides::know_machines()?;
    let bench = Bench { house, files, counter, has_reference };
    let parts: [Part<'_>; 4] =
        [&|| bench.instructions(&servers), &|| bench.times(&servers, wanted), &|| bench.emulated(&servers), &|| {
            bench.memory(&servers)
        }];
    let mut tables = Vec::new();
    for part in parts {
        let table = part()?;
        // They take minutes each, so each is told as soon as it is there.
        if !wanted.json {
            println!("{}", table.text());
        }
        tables.push(table);
    }
    if wanted.json {
        println!("{:#}", json!(tables.iter().map(Table::json).collect::<Vec<_>>()));
    }
    bars::draw(&tables.iter().collect::<Vec<_>>(), wanted.plot.as_deref())
}

/// What all of it needs.
pub struct Bench<'a> {
    pub house: &'a House,
    pub files: Files,
    pub counter: Counter,
    pub has_reference: bool,
}

impl Bench<'_> {
    /// Starts a machine of ours over the TAP device.
    pub fn ours(&self, server: Server, options: &[&str]) -> Result<Ours, Failure> {
        let options = [&EMULATED[..], options].concat();
        Ours::of(sides::command(self.house, &self.files, (server, 1), Link::Tap, &options)?)
    }

    /// The same with so much memory, which may be too little: what it says of that is no news.
    pub fn ours_quietly(&self, server: Server, memory: &str) -> Result<Ours, Failure> {
        let options = [&EMULATED[..], &["--memory", memory]].concat();
        let mut command = sides::command(self.house, &self.files, (server, 1), Link::Tap, &options)?;
        command.stderr(Stdio::null());
        Ours::of(command)
    }

    /// Starts a Linux guest there.
    pub fn linux(&self, server: Server, plugin: Option<String>, memory: u64) -> Result<Served, Failure> {
        let programs = sides::programs(&self.files, &[server], memory)?;
        guest::begin(self.house, programs, open_tap()?, plugin)
    }

    /// On process beside this Linux.
    fn times(&self, servers: &[Server], wanted: &Servers) -> Result<Table, Failure> {
        let link = Link::Published;
        let ours: Measure<'_> = Box::new(|name| {
            let (server, since) = (of_name(servers, name)?, Instant::now());
            let mut machine = sides::process(self.house, &self.files, (server, 1), link, &[])?;
            waited(server, link, since, || machine.is_there())
        });
        let linux: Measure<'_> = Box::new(|name| {
            let (server, since) = (of_name(servers, name)?, Instant::now());
            let _server = sides::native(&self.files, (server, 1), link)?;
            waited(server, link, since, || true)
        });
        let mut sides = vec![Side { heading: "process".into(), measure: ours }];
        if self.has_reference {
            sides.push(Side { heading: "Linux".into(), measure: linux });
        }
        let (rounds, names) = (wanted.rounds.unwrap_or(ROUNDS), names(servers));
        let mut tell = |round| eprintln!("whittle: round {} of {rounds}", round + 1);
        let rows = interleave(rounds, &names, &mut sides, &mut tell)?;
        let headings = sides.iter().map(|side| side.heading.as_str()).collect::<Vec<_>>();
        let rows = names.into_iter().zip(rows).collect();
        Ok(self.table(
            "milliseconds to the first answer",
            rows,
            &headings,
            "From the start of the command; by -p, as built.",
        ))
    }

    /// On pc beside a Linux guest, both emulated.
    fn emulated(&self, servers: &[Server]) -> Result<Table, Failure> {
        let mut rows = Vec::new();
        for &server in servers {
            eprintln!("whittle: time to the first answer of {}, emulated", server.name());
            let since = Instant::now();
            let mut machine = self.ours(server, &["--memory", server.memory()])?;
            let mut cells = vec![Cell::of(waited(server, Link::Tap, since, || machine.is_there())?)];
            drop(machine);
            if self.has_reference {
                let mut machine = self.linux(server, None, MEMORY)?;
                cells.push(Cell::of(waited(server, Link::Tap, machine.since, || machine.is_there())?));
            } else {
                cells.push(Cell::unknown());
            }
            rows.push((server.name().to_owned(), cells));
        }
        Ok(self.table(
            "milliseconds to the first answer, emulated",
            rows,
            &BESIDE,
            "From the start of QEMU, or of the command that starts it.",
        ))
    }

    fn memory(&self, servers: &[Server]) -> Result<Table, Failure> {
        let mut rows = Vec::new();
        for &server in servers {
            eprintln!("whittle: least memory of {}", server.name());
            let reading = |least: Option<u64>| Cell::of(least.map_or_else(unanswered, |least| of(least as f64)));
            let ours = reading(least::of_ours(self, server)?);
            let linux = self.has_reference.then(|| least::of_linux(self, server)).transpose()?;
            let linux = linux.map_or_else(Cell::unknown, reading);
            rows.push((server.name().to_owned(), vec![ours, linux]));
        }
        Ok(self.table("kilobytes, least memory that serves", rows, &BESIDE, "Limits: redis 16,384, nginx 12,288."))
    }

    /// The last column is the reference.
    pub fn table(&self, unit: &'static str, rows: Vec<(String, Vec<Cell>)>, headings: &[&str], limits: &str) -> Table {
        Table {
            what: "servers-start",
            unit,
            headings: headings.iter().map(|&heading| heading.to_owned()).collect(),
            reference: self.has_reference.then_some(headings.len() - 1),
            rows,
            notes: vec![limits.into()],
        }
    }
}

fn names(servers: &[Server]) -> Vec<String> {
    servers.iter().map(|server| server.name().to_owned()).collect()
}

fn of(value: f64) -> Reading {
    Reading::Samples(vec![value])
}

fn of_name(servers: &[Server], name: &str) -> Result<Server, Failure> {
    servers
        .iter()
        .find(|server| server.name() == name)
        .copied()
        .ok_or_else(|| Failure::ours(format!("nobody serves {name}")))
}

/// Milliseconds until it answers.
fn waited(server: Server, link: Link, since: Instant, is_there: impl FnMut() -> bool) -> Result<Reading, Failure> {
    let moment = first(Load::opening(server), link.address(), Patience::SHORT, is_there);
    Ok(moment.map_or_else(unanswered, |moment| of(moment.duration_since(since).as_secs_f64() * 1e3)))
}

/// What stands in the table for a server that has not answered.
pub fn unanswered() -> Reading {
    Reading::Missing("no-answer".into())
}
