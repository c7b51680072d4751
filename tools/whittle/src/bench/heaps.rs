//! `whittle bench heaps`: what a free and a malloc cost, for every heap of the house beside glibc's and mimalloc.
//!
//! The measuring program (`tools/bench-heaps`) is no part of the workspace: it is built here, and prints a line for
//! each measurement. All heaps take turns in each round.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::start::run_well;
use crate::failure::Failure;
use crate::house::House;

/// The building takes a minute and a round ten seconds, on a machine with nothing else to do.
const PATIENCE: Duration = Duration::from_secs(900);
/// What the ratios refer to.
const REFERENCES: [&str; 2] = ["glibc", "mimalloc"];
/// The heap of whom the acceptance speaks, and what its ratios to the references may be at most.
const LIMITED: &str = "size-class";
const MOST_OF_MIMALLOC: f64 = 1.3;
const MOST_OF_GLIBC: f64 = 2.0;
const FIRST_LOAD: &str = "1K-slots-1KB";

/// One heap under one load, over all rounds.
#[derive(Debug, PartialEq, Serialize)]
struct Row {
    heap: String,
    load: String,
    threads: usize,
    /// Nanoseconds per pair.
    median: f64,
    least: f64,
    most: f64,
    /// The median's ratio to the references' in the same run.
    of_glibc: Option<f64>,
    of_mimalloc: Option<f64>,
}

/// Measures and prints.
pub fn heaps(house: &House, json: bool, rounds: usize) -> Result<(), Failure> {
    let target = house.target.join("bench-heaps");
    let mut build = house.cargo();
    build.args(["build", "--quiet", "--release", "--locked", "--manifest-path", "tools/bench-heaps/Cargo.toml"]);
    build.arg("--target-dir").arg(&target);
    run_well(build, PATIENCE)?;
    let mut measure = std::process::Command::new(target.join("release/bench-heaps"));
    measure.arg(rounds.to_string());
    let rows = rows(&run_well(measure, PATIENCE)?.out);
    if json {
        let text = serde_json::to_string_pretty(&rows).map_err(|error| Failure::ours(error.to_string()))?;
        println!("{text}");
    } else {
        print!("{}", table(&rows));
    }
    Ok(())
}

/// Lines `ROUND HEAP LOAD THREADS NANOSECONDS`, joined over the rounds.
fn rows(text: &str) -> Vec<Row> {
    let mut measured: BTreeMap<(usize, &str, usize, usize, &str), Vec<f64>> = BTreeMap::new();
    let (mut loads, mut heaps) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, heap, load, threads, time] = words[..] else { continue };
        let (Ok(threads), Ok(time)) = (threads.parse(), time.parse()) else { continue };
        let key = (place(&mut loads, load), load, threads, place(&mut heaps, heap), heap);
        measured.entry(key).or_default().push(time);
    }
    let middle = |times: &[f64]| times[times.len() / 2];
    measured.values_mut().for_each(|times| times.sort_by(f64::total_cmp));
    let reference = |name: &str, wanted: (&str, usize)| {
        let mut rows = measured.iter();
        rows.find(|((_, load, threads, _, heap), _)| *heap == name && (*load, *threads) == wanted)
            .map(|(_, times)| middle(times))
    };
    let row = |(&(_, load, threads, _, heap), times): (&(usize, &str, usize, usize, &str), &Vec<f64>)| {
        let median = middle(times);
        let [of_glibc, of_mimalloc] = REFERENCES.map(|name| Some(median / reference(name, (load, threads))?));
        let (least, most) = (times[0], times[times.len() - 1]);
        Row { heap: heap.into(), load: load.into(), threads, median, least, most, of_glibc, of_mimalloc }
    };
    measured.iter().map(row).collect()
}

/// The number under which a name came first.
fn place<'a>(names: &mut Vec<&'a str>, name: &'a str) -> usize {
    names.iter().position(|known| *known == name).unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}

fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "{:<16}{:>8}  {:<18}{:>10}{:>10}{:>10}{:>10}{:>12}",
        "nanoseconds a pair", "threads", "heap", "median", "least", "most", "/ glibc", "/ mimalloc"
    );
    for row in rows {
        let ratio = |ratio: Option<f64>| ratio.map_or("-".into(), |ratio| format!("{ratio:.2}"));
        let (glibc, mimalloc) = (ratio(row.of_glibc), ratio(row.of_mimalloc));
        text += &format!(
            "\n{:<18}{:>8}  {:<18}{:>8.1}{:>10.1}{:>10.1}{glibc:>10}{mimalloc:>12}{}",
            row.load,
            row.threads,
            row.heap,
            row.median,
            row.least,
            row.most,
            if keeps_limit(row) { "" } else { "  over its limit" }
        );
    }
    text + "\n"
}

/// The limits of docs/src/figures.md, which are the size-class heap's.
fn keeps_limit(row: &Row) -> bool {
    let within = |ratio: Option<f64>, most: f64| ratio.is_none_or(|ratio| ratio <= most);
    row.heap != LIMITED
        || within(row.of_glibc, MOST_OF_GLIBC) && (row.load != FIRST_LOAD || within(row.of_mimalloc, MOST_OF_MIMALLOC))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "0 glibc 1K-slots-1KB 1 20.0\n0 mimalloc 1K-slots-1KB 1 10\n0 size-class 1K-slots-1KB 1 14\n\
        1 glibc 1K-slots-1KB 1 30\n1 size-class 1K-slots-1KB 1 12\n2 size-class 1K-slots-1KB 1 90\nnoise\n\
        2 glibc 1K-slots-1KB 1 28.0\n0 glibc 1K-slots-64KB 2 5\n";

    #[test]
    fn rounds_become_medians_and_ratios() {
        let rows = rows(LINES);
        let shown: Vec<_> = rows.iter().map(|row| (row.heap.as_str(), row.median, row.least, row.most)).collect();
        let expected = [("glibc", 28.0, 20.0, 30.0), ("mimalloc", 10.0, 10.0, 10.0), ("size-class", 14.0, 12.0, 90.0)];
        assert_eq!(shown[..3], expected);
        assert_eq!((rows[2].of_glibc, rows[2].of_mimalloc), (Some(0.5), Some(1.4)));
        assert_eq!((rows[3].threads, rows[3].of_mimalloc), (2, None));
    }

    #[test]
    fn a_limit_that_is_not_kept_shows() {
        let text = table(&rows(LINES));
        let over: Vec<_> = text.lines().filter(|line| line.ends_with("over its limit")).collect();
        assert!(over.len() == 1 && over[0].contains("size-class"), "{text}");
    }
}
