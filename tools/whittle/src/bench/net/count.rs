//! Instructions of the kernel for each request, on pc beside a Linux guest in the same QEMU.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::super::guest;
use super::super::rounds::{Cell, Reading};
use super::super::table::Table;
use super::client::Load;
use super::counter::Counter;
use super::sides::{self, Application, Ours};
use super::steps::{Image, Map, PROGRAM, STEPS};
use super::{ADDRESS, TAP, namespace};
use crate::arguments::{Net, Platform, Reference};
use crate::failure::{Doing, Failure};
use crate::house::House;
use crate::inspect::Sections;

/// Requests that are counted.
const REQUESTS: usize = 10_000;
/// Connections are dearer.
const CONNECTIONS: usize = 1000;
/// Loads, each with the application of ours that serves it.
const LOADS: [(Load, Application); 7] = [
    (Load::Keys(1), Application::KeyValue),
    (Load::Keys(32), Application::KeyValue),
    (Load::Datagrams(1), Application::Echo),
    (Load::Datagrams(32), Application::Echo),
    (Load::Streams(1), Application::Echo),
    (Load::Streams(32), Application::Echo),
    (Load::Connections, Application::Echo),
];

/// Instructions of the kernel for a request, by step and by function.
struct Counted {
    steps: [f64; STEPS.len()],
    functions: BTreeMap<String, f64>,
}

impl Counted {
    /// All but what the program does itself.
    fn sum(&self) -> f64 {
        self.steps.iter().enumerate().filter(|(step, _)| *step != PROGRAM).map(|(_, count)| count).sum()
    }
}

/// Measures and prints.
pub fn count(house: &House, wanted: &Net) -> Result<(), Failure> {
    let counter = Counter::build(house)?;
    let images = [Application::KeyValue, Application::Echo].map(|application| application.build(house, Platform::Pc));
    let [keys, echo] = images;
    let (keys, echo) = (keys?, echo?);
    let servers = [sides::key_server(house)?, sides::echo_server(house)?];
    if wanted.reference != Reference::No {
        guest::fetch(house)?;
    }
    namespace::enter()?;
    namespace::tap(TAP, ADDRESS)?;
    let mut ours = Vec::new();
    for (application, image) in [(Application::KeyValue, &keys), (Application::Echo, &echo)] {
        let plugin = counter.words()?;
        let options = ["--platform", "pc", "--accel", "tcg", "--machine", "q35", "--plugin", &plugin];
        let _machine = Ours::start(house, application, &options)?;
        let bytes = sides::read(image)?;
        let sections = Sections::read(&bytes).doing("read the image's debugging information")?;
        let map = Image(sections.lines().doing("read the image's debugging information")?);
        for (load, _) in LOADS.iter().filter(|(_, server)| *server == application) {
            ours.push(Some(measure(*load, &counter, &map)?));
        }
    }
    let mut linux: Vec<Option<Counted>> = LOADS.iter().map(|_| None).collect();
    if wanted.reference != Reference::No {
        let (_guest, symbols) = sides::linux(house, &counter, [&servers[0], &servers[1]])?;
        for (place, (load, _)) in linux.iter_mut().zip(LOADS) {
            *place = Some(measure(load, &counter, &symbols)?);
        }
    }
    print(&ours, &linux, wanted);
    Ok(())
}

/// The instructions for each request of a load.
fn measure(load: Load, counter: &Counter, map: &dyn Map) -> Result<Counted, Failure> {
    let name = load.name();
    eprintln!("whittle: {name}");
    load.wait().doing(format!("ask a server for {name}"))?;
    let requests = if load == Load::Connections { CONNECTIONS } else { REQUESTS };
    let mut counted = Counted { steps: [0.0; STEPS.len()], functions: BTreeMap::new() };
    let each = counter.watch(&name, requests, |count| load.ask(count).map(|()| count))?;
    for (address, instructions) in each {
        if let Some((step, function)) = map.at(address) {
            counted.steps[step] += instructions;
            *counted.functions.entry(function).or_default() += instructions;
        }
    }
    Ok(counted)
}

fn print(ours: &[Option<Counted>], linux: &[Option<Counted>], wanted: &Net) {
    let cell = |counted: &Option<Counted>| {
        counted.as_ref().map_or_else(Cell::unknown, |counted| Cell::of(Reading::Samples(vec![counted.sum()])))
    };
    let rows = LOADS.iter().zip(ours.iter().zip(linux));
    let table = Table {
        what: "net",
        unit: "kernel instructions per request",
        headings: vec!["pc".into(), "Linux guest".into()],
        reference: (wanted.reference != Reference::No).then_some(1),
        rows: rows.map(|((load, _), (ours, linux))| (load.name(), vec![cell(ours), cell(linux)])).collect(),
        notes: vec![
            "The kernel's alone, on both sides. In an image of ours, that is all of it but the application's crate and the \
             parts of the standard library that a program calls, which are a step of their own below."
                .into(),
            "Limits of the ratio: 0.125 for the key-value store, 0.33 for the others.".into(),
        ],
    };
    if wanted.json {
        let mut all = table.json();
        all["steps"] =
            LOADS.iter().zip(ours.iter().zip(linux)).map(|((load, _), sides)| steps_as_json(*load, sides)).collect();
        println!("{all:#}");
    } else {
        table.print(false);
        for ((load, _), sides) in LOADS.iter().zip(ours.iter().zip(linux)) {
            print!("\n{}", steps_as_text(*load, sides));
        }
    }
}

type Sides<'a> = (&'a Option<Counted>, &'a Option<Counted>);

fn steps_as_json(load: Load, (ours, linux): Sides<'_>) -> Value {
    let side = |counted: &Option<Counted>| {
        counted.as_ref().map(|counted| {
            let steps: serde_json::Map<_, _> =
                STEPS.iter().zip(counted.steps).map(|(step, count)| ((*step).to_owned(), count.into())).collect();
            json!({ "steps": steps, "functions": counted.functions })
        })
    };
    json!({ "operation": load.name(), "pc": side(ours), "Linux guest": side(linux) })
}

/// A line for each step.
fn steps_as_text(load: Load, (ours, linux): Sides<'_>) -> String {
    let mut text = format!("{:<40} {:>8} {:>12}\n", load.name(), "pc", "Linux guest");
    for (index, step) in STEPS.iter().enumerate() {
        let side = |counted: &Option<Counted>| {
            counted.as_ref().map_or("-".into(), |counted| format!("{:.0}", counted.steps[index]))
        };
        let _ = writeln!(text, "  {step:<38} {:>8} {:>12}", side(ours), side(linux));
    }
    text
}
