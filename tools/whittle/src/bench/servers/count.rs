//! Instructions for each request: the kernel's, and the program's beside them.

use super::super::guest;
use super::super::net::{ADDRESS, Counter, KERNEL, TAP, enter_namespace, make_tap};
use super::super::rounds::{Cell, Reading};
use super::super::table::Table;
use super::load::{LOADS, Load, Server};
use super::sides::{self, Files};
use crate::arguments::{Platform, Reference, Servers};
use crate::compose::rebuild_image;
use crate::failure::{Doing, Failure};
use crate::house::House;
use crate::setup;

/// Requests that are counted.
const REQUESTS: usize = 10_000;
/// Instructions for a request: the kernel's and the program's.
type Counted = [f64; 2];

/// Measures and prints.
pub fn count(house: &House, wanted: &Servers) -> Result<(), Failure> {
    setup::things(&Server::ALL.map(Server::name))?;
    let counter = Counter::build(house)?;
    let files = Files::collect(house)?;
    rebuild_image(house, Platform::Pc.name())?;
    let has_reference = wanted.reference != Reference::No;
    if has_reference {
        guest::fetch(house)?;
    }
    enter_namespace()?;
    make_tap(TAP, ADDRESS)?;
    let mut ours = Vec::new();
    for server in Server::ALL {
        let _machine = sides::ours(house, &files, server, &counter)?;
        for load in LOADS.into_iter().filter(|load| load.server == server) {
            ours.push(measure(load, &counter)?);
        }
    }
    let mut linux = Vec::new();
    if has_reference {
        let _guest = sides::linux(house, &files, &counter)?;
        for load in LOADS {
            linux.push(measure(load, &counter)?);
        }
    }
    print(&ours, &linux, wanted.json);
    Ok(())
}

fn measure(load: Load, counter: &Counter) -> Result<Counted, Failure> {
    let name = load.name();
    eprintln!("whittle: {name}");
    load.prepare().doing(format!("ask a server for {name}"))?;
    let mut counted = [0.0; 2];
    for (address, instructions) in counter.watch(&name, REQUESTS, |count| load.ask(count))? {
        counted[usize::from(address < KERNEL)] += instructions;
    }
    Ok(counted)
}

fn print(ours: &[Counted], linux: &[Counted], json: bool) {
    let cell = |sides: &[Counted], row: usize, part: usize| {
        sides.get(row).map_or_else(Cell::unknown, |counted| Cell::of(Reading::Samples(vec![counted[part]])))
    };
    let rows = LOADS.iter().enumerate().flat_map(|(row, load)| {
        let of = |part| vec![cell(ours, row, part), cell(linux, row, part)];
        [(load.name(), of(0)), (format!("{}: the program", load.name()), of(1))]
    });
    let table = Table {
        what: "servers",
        unit: "instructions per request",
        headings: vec!["pc".into(), "Linux guest".into()],
        reference: (!linux.is_empty()).then_some(1),
        rows: rows.collect(),
        notes: vec![
            "The kernel's, then the program's own beside them, in the same QEMU; 16 connections over a TAP device."
                .into(),
            "Limit of the kernel's ratio: 0.33.".into(),
        ],
    };
    table.print(json);
}
