//! Measuring, as `bench-linux` does it, the C program that measures Linux: `samples=N`, `ticks=N`, then operations or
//! the group's name; for each a line `NAME SAMPLE SAMPLE ...`. Where both know an operation, they do the same.

use std::{env, hint::black_box, prelude::v1::*, process::ExitCode};

/// An operation, by the name that `bench-linux` has for it.
pub struct Operation {
    pub name: &'static str,
    /// Makes it ready: what does it so many times.
    pub ready: fn() -> Box<dyn FnMut(u64)>,
}

/// The counter, with everything before it done (Intel SDM 2B, RDTSC: it does not wait for earlier instructions, and a
/// sample takes thousands of times as long as those).
fn ticks() -> u64 {
    std::instruction_set::instructions::time_stamp()
}

fn time_of(work: &mut dyn FnMut(u64), rounds: u64) -> u64 {
    let start = ticks();
    work(rounds);
    ticks() - start
}

fn nothing(rounds: u64) {
    for round in 0..rounds {
        black_box(round);
    }
}

struct Wanted {
    samples: u32,
    ticks: u64,
}

/// Rounds that fill a sample; finding them warms up.
fn rounds_of_a_sample(work: &mut dyn FnMut(u64), ticks: u64) -> u64 {
    let mut rounds = 1;
    loop {
        let taken = time_of(work, rounds) + 1;
        if taken >= ticks {
            return rounds;
        }
        rounds = (rounds * ticks / taken + 1).min(rounds * 8);
    }
}

/// The operation's line; samples with two digits behind the point.
fn measure(operation: &Operation, wanted: &Wanted) {
    let mut work = (operation.ready)();
    let rounds = rounds_of_a_sample(&mut *work, wanted.ticks);
    let loops = (0..5).map(|_| time_of(&mut nothing, rounds)).min().unwrap_or(0);
    let mut line = String::from(operation.name);
    for _ in 0..wanted.samples {
        let hundredths = time_of(&mut *work, rounds).saturating_sub(loops) * 100 / rounds;
        line += &format!(" {}.{:02}", hundredths / 100, hundredths % 100);
    }
    println!("{line}");
}

/// Measures what the words say.
pub fn main(group: &str, operations: &[Operation]) -> ExitCode {
    let mut wanted = Wanted { samples: 20, ticks: 500_000 };
    let mut heading = false;
    for word in env::args().skip(1) {
        if word == "list" {
            operations.iter().for_each(|operation| println!("{}", operation.name));
            return ExitCode::SUCCESS;
        }
        match word.split_once('=') {
            Some(("samples", count)) => wanted.samples = count.parse().unwrap_or(wanted.samples),
            Some(("ticks", ticks)) => wanted.ticks = ticks.parse().unwrap_or(wanted.ticks),
            Some(_) => {}
            None => {
                if !heading {
                    println!("operation ticks");
                }
                heading = true;
                let named = |operation: &&Operation| word == group || word == operation.name;
                if !operations.iter().any(|operation| named(&operation)) {
                    println!("{word} missing none");
                }
                operations.iter().filter(named).for_each(|operation| measure(operation, &wanted));
            }
        }
    }
    ExitCode::SUCCESS
}
