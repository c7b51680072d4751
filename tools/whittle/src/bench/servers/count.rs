//! Instructions for each request: the kernel's, and the program's beside them.

use super::super::guest;
use super::super::net::{ADDRESS, Counter, KERNEL, SERVER, TAP, enter_namespace, make_tap};
use super::super::rounds::{Cell, Reading};
use super::super::table::Table;
use super::files::Files;
use super::load::{LOADS, Load};
use super::server::Server;
use super::sides;
use super::{bars, chosen};
use crate::arguments::{Platform, Reference, Servers};
use crate::compose::rebuild_image;
use crate::failure::{Doing, Failure};
use crate::house::House;

/// Requests that are counted.
const REQUESTS: usize = 10_000;
/// The servers.
const SERVERS: [Server; 5] = [Server::Redis, Server::Nginx, Server::Memcached, Server::Go, Server::Node];
/// Instructions for a request: the kernel's and the program's.
type Counted = [f64; 2];

/// Measures and prints.
pub fn count(house: &House, wanted: &Servers) -> Result<(), Failure> {
    let servers = chosen(&SERVERS, &wanted.only)?;
    let loads: Vec<Load> = LOADS.into_iter().filter(|load| servers.contains(&load.server)).collect();
    let counter = Counter::build(house)?;
    let files = Files::make(house, &servers)?;
    rebuild_image(house, Platform::Pc.name())?;
    let has_reference = wanted.reference != Reference::No;
    if has_reference {
        guest::fetch(house)?;
    }
    enter_namespace()?;
    make_tap(TAP, ADDRESS)?;
    let mut ours = Vec::new();
    for &server in &servers {
        let _machine = sides::ours(house, &files, server, &counter)?;
        for load in loads.iter().filter(|load| load.server == server) {
            ours.push(measure(*load, &counter)?);
        }
    }
    let mut linux = Vec::new();
    if has_reference {
        let _guest = sides::linux(house, &files, &servers, &counter)?;
        // While one is not ready yet, the guest does more than what it is asked for.
        loads.iter().try_for_each(|load| load.prepare(SERVER)).doing("wait for the Linux guest's servers")?;
        for load in &loads {
            linux.push(measure(*load, &counter)?);
        }
    }
    let table = table(&loads, &ours, &linux);
    table.print(wanted.json);
    bars::draw(&[&table], wanted.plot.as_deref())
}

fn measure(load: Load, counter: &Counter) -> Result<Counted, Failure> {
    let name = load.name();
    eprintln!("whittle: {name}");
    load.prepare(SERVER).doing(format!("ask a server for {name}"))?;
    let mut counted = [0.0; 2];
    for (address, instructions) in counter.watch(&name, REQUESTS, |count| load.ask(SERVER, count))? {
        counted[usize::from(address < KERNEL)] += instructions;
    }
    Ok(counted)
}

fn table(loads: &[Load], ours: &[Counted], linux: &[Counted]) -> Table {
    let cell = |sides: &[Counted], row: usize, of: &dyn Fn(&Counted) -> f64| {
        sides.get(row).map_or_else(Cell::unknown, |counted| Cell::of(Reading::Samples(vec![of(counted)])))
    };
    let rows = loads.iter().enumerate().flat_map(|(row, load)| {
        let both = |of: &dyn Fn(&Counted) -> f64| vec![cell(ours, row, of), cell(linux, row, of)];
        [
            (load.name(), both(&|counted| counted[0])),
            (format!("{}: the program", load.name()), both(&|counted| counted[1])),
            (format!("{}: both", load.name()), both(&|counted| counted[0] + counted[1])),
        ]
    });
    Table {
        what: "servers",
        unit: "instructions per request",
        headings: vec!["pc".into(), "Linux guest".into()],
        reference: (!linux.is_empty()).then_some(1),
        rows: rows.collect(),
        notes: vec![
            "The kernel's, the program's own, and both, in the same QEMU; 16 connections over a TAP device.".into(),
            "Limit of the kernel's ratio: 0.33.".into(),
        ],
    }
}
