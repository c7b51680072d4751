//! Requests per second on process, beside the same server on this Linux, by the same ways.

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

use serde_json::json;

use super::super::net::{ADDRESS, TAP, enter_namespace, make_tap};
use super::super::rounds::{Cell, Measure, Reading, Side, interleave, median};
use super::super::table::Table;
use super::drive::{Driven, drive};
use super::files::Files;
use super::load::{CONNECTIONS, LOADS, Load};
use super::server::Server;
use super::sides::{self, Link};
use super::{bars, chosen};
use crate::arguments::{Platform, Reference, Servers};
use crate::compose::rebuild_image;
use crate::failure::{Doing, Failure};
use crate::house::House;

/// The servers.
const SERVERS: [Server; 5] = [Server::Redis, Server::Nginx, Server::Memcached, Server::Go, Server::Node];
/// The ways to them, and their names.
const LINKS: [(Link, &str); 2] = [(Link::Published, "loopback, -p"), (Link::Tap, "TAP")];
/// The sides: calls that are rewritten, calls that trap, and this Linux.
const PROCESS: &str = "process";
const TRAPPED: &str = "trapped";
const LINUX: &str = "Linux";
/// Rounds unless told otherwise.
const ROUNDS: usize = 5;
/// How long each is asked before, and while it counts.
pub const WARM_UP: Duration = Duration::from_millis(500);
pub const COUNTS: Duration = Duration::from_secs(2);

/// Measures and prints.
pub fn speed(house: &House, wanted: &Servers) -> Result<(), Failure> {
    let servers = chosen(&SERVERS, &wanted.only)?;
    let files = Files::make(house, &servers)?;
    rebuild_image(house, Platform::Process.name())?;
    enter_namespace()?;
    make_tap(TAP, ADDRESS)?;
    let names: Vec<String> = all(&servers).map(|(name, ..)| name).collect();
    // What answers took is known from the same moment.
    let slowest = RefCell::new(HashMap::<(&'static str, String), Vec<f64>>::new());
    let measured = |side: &'static str, name: &str, driven: Driven| {
        slowest.borrow_mut().entry((side, name.to_owned())).or_default().push(driven.slowest_hundredth());
        Reading::Samples(vec![driven.rate()])
    };
    let ours = |side: &'static str, options: &'static [&'static str]| -> Measure<'_> {
        let (servers, files, measured) = (&servers, &files, &measured);
        Box::new(move |name| {
            let (load, link) = of_name(servers, name)?;
            let _machine = sides::process(house, files, (load.server, 1), link, options)?;
            Ok(measured(side, name, ask(load, link)?))
        })
    };
    let linux: Measure<'_> = Box::new(|name| {
        let (load, link) = of_name(&servers, name)?;
        let _server = sides::native(&files, (load.server, 1), link)?;
        Ok(measured(LINUX, name, ask(load, link)?))
    });
    let mut sides = vec![
        Side { heading: PROCESS.into(), measure: ours(PROCESS, &[]) },
        Side { heading: TRAPPED.into(), measure: ours(TRAPPED, &["--syscalls", "trap"]) },
    ];
    let has_reference = wanted.reference != Reference::No;
    if has_reference {
        sides.push(Side { heading: LINUX.into(), measure: linux });
    }
    let rounds = wanted.rounds.unwrap_or(ROUNDS);
    let mut tell = |round| eprintln!("whittle: round {} of {rounds}", round + 1);
    let rates = interleave(rounds, &names, &mut sides, &mut tell)?;
    let headings: Vec<String> = sides.into_iter().map(|side| side.heading).collect();
    let known = [PROCESS, TRAPPED, LINUX];
    let waits = names.iter().map(|name| known[..headings.len()].iter().map(|side| cell(&slowest, side, name)));
    let waits = waits.map(Iterator::collect).collect();
    let table = |unit, rows: Vec<Vec<Cell>>, note: &str| Table {
        what: "servers-speed",
        unit,
        headings: headings.clone(),
        reference: has_reference.then_some(2),
        rows: names.iter().cloned().zip(rows).collect(),
        notes: vec![note.to_owned(), format!("{TRAPPED}: the same with --syscalls trap, where no call is rewritten.")],
    };
    let rates = table(
        "requests per second",
        rates,
        "More is better; 16 connections of one client. To Linux' TAP a carrier leads.",
    );
    let waits = table(
        "milliseconds, 99 of 100 answers",
        waits,
        "Of as many requests as are sent at once, from the first's sending to the last's answer.",
    );
    let tables = [rates, waits];
    if wanted.json {
        println!("{:#}", json!(tables.each_ref().map(Table::json)));
    } else {
        print!("{}", tables.each_ref().map(Table::text).join("\n"));
    }
    bars::draw(&[&tables[0], &tables[1]], wanted.plot.as_deref())
}

/// All loads of these servers by all ways, with their names.
fn all(servers: &[Server]) -> impl Iterator<Item = (String, Load, Link)> {
    let ways = |load: Load| LINKS.into_iter().map(move |(link, way)| (format!("{}, {way}", load.name()), load, link));
    LOADS.into_iter().filter(|load| servers.contains(&load.server)).flat_map(ways)
}

fn of_name(servers: &[Server], name: &str) -> Result<(Load, Link), Failure> {
    let found = all(servers).find(|(known, ..)| known == name).map(|(_, load, link)| (load, link));
    found.ok_or_else(|| Failure::ours(format!("nobody serves {name}")))
}

/// Asks a server that may not be ready yet.
pub fn ask(load: Load, link: Link) -> Result<Driven, Failure> {
    let (at, doing) = (link.address(), || format!("ask a server for {}", load.name()));
    load.prepare(at).doing(doing())?;
    drive(load, at, CONNECTIONS, WARM_UP).doing(doing())?;
    drive(load, at, CONNECTIONS, COUNTS).doing(doing())
}

/// The rounds' waits; the table's cell has the median of each round, which is the one that it had.
fn cell(slowest: &RefCell<HashMap<(&'static str, String), Vec<f64>>>, side: &'static str, name: &str) -> Cell {
    let all = slowest.borrow();
    let Some(rounds) = all.get(&(side, name.to_owned())) else { return Cell::unknown() };
    let mut cell = Cell::of(Reading::Samples(vec![rounds[0]]));
    rounds[1..].iter().for_each(|round| cell.add(Reading::Samples(vec![median(vec![*round])])));
    cell
}
