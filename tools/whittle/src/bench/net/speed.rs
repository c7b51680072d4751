//! Requests in a second: on process over a TAP device, beside Linux' own stack behind the same device.

use std::time::Instant;

use super::super::rounds::{Measure, Reading, Side, interleave};
use super::super::table::Table;
use super::behind;
use super::client::Load;
use super::sides::{self, Application, Ours};
use super::{ADDRESS, TAP, namespace};
use crate::arguments::{Net, Platform, Reference};
use crate::failure::{Doing, Failure};
use crate::house::House;

/// Rounds unless told otherwise.
const ROUNDS: usize = 5;
/// Requests that are not measured, and those that are.
const WARM_UP: usize = 2000;
const REQUESTS: usize = 20_000;

/// Loads, each with the application of ours that serves it.
const LOADS: [(Load, Application); 4] = [
    (Load::Keys(1), Application::KeyValue),
    (Load::Keys(64), Application::KeyValue),
    (Load::Datagrams(64), Application::Echo),
    (Load::Streams(64), Application::Echo),
];

/// Measures and prints.
pub fn speed(house: &House, wanted: &Net) -> Result<(), Failure> {
    for application in [Application::KeyValue, Application::Echo] {
        application.build(house, Platform::Process)?;
    }
    let [keys, echo] = [sides::key_server(house)?, sides::echo_server(house)?];
    namespace::enter()?;
    namespace::tap(TAP, ADDRESS)?;
    let server = |application: Application| if application == Application::KeyValue { &keys } else { &echo };
    let ours: Measure<'_> = Box::new(|name| {
        let (load, application) = of_name(name)?;
        let _machine = Ours::start(house, application, &["--platform", "process"])?;
        rate(load)
    });
    let linux: Measure<'_> = Box::new(|name| {
        let (load, application) = of_name(name)?;
        let _server = behind::serve(&[server(application).display().to_string()])?;
        rate(load)
    });
    let mut sides = vec![Side { heading: "process".into(), measure: ours }];
    if wanted.reference != Reference::No {
        sides.push(Side { heading: "Linux".into(), measure: linux });
    }
    let rounds = wanted.rounds.unwrap_or(ROUNDS);
    let operations = LOADS.map(|(load, _)| load.name());
    let mut tell = |round| eprintln!("whittle: round {} of {rounds}", round + 1);
    let rows = interleave(rounds, &operations, &mut sides, &mut tell)?;
    Table {
        what: "net",
        unit: "requests per second",
        reference: (wanted.reference != Reference::No).then_some(1),
        headings: sides.into_iter().map(|side| side.heading).collect(),
        rows: operations.into_iter().zip(rows).collect(),
        notes: vec![
            "More is better. Both behind the same TAP device and the same client; to Linux a carrier of frames leads, \
             by way of a second device."
                .into(),
        ],
    }
    .print(wanted.json);
    Ok(())
}

fn of_name(name: &str) -> Result<(Load, Application), Failure> {
    let found = LOADS.into_iter().find(|(load, _)| load.name() == name);
    found.ok_or_else(|| Failure::ours(format!("nobody serves {name}")))
}

/// Requests that are answered in a second.
fn rate(load: Load) -> Result<Reading, Failure> {
    let doing = || format!("ask a server for {}", load.name());
    load.wait().doing(doing())?;
    load.ask(WARM_UP).doing(doing())?;
    let since = Instant::now();
    load.ask(REQUESTS).doing(doing())?;
    Ok(Reading::Samples(vec![REQUESTS as f64 / since.elapsed().as_secs_f64()]))
}
