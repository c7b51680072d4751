//! packetdrill: scripts of segments and calls, with the moment of each, that its authors hold Linux' TCP to. Ours
//! answers them in the place of Linux, in simulated time (`tests/packetdrill`).
//!
//! All scripts of the suite run that are not about fast open, and those of our own in `tests/packetdrill/scripts`. The
//! suite's outcomes are on the list `tests/conformance/packetdrill.toml`, each with the script's digest; what fails
//! there and passes here fails this test too, so the list stays true. `WHITTLE_BLESS=1` writes it anew, and keeps the
//! causes that people wrote. `WHITTLE_SCRIPT=part-of-a-name` runs some, and prints what packetdrill says.

mod list;
mod script;
mod tools;

use std::process::ExitCode;

use system_tests::{Check, Scope, Source, need, project_root, skip, suite_folder};

use list::{Entry, List};
use script::Script;

const SOURCE: Source = Source {
    name: "packetdrill",
    home: "https://github.com/google/packetdrill",
    commit: "2c4001c4d6fc04a3bbd01d4b92be62717a37648a",
};

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("packetdrill", Scope::Once, |_| suite()),
        Check::new("packetdrill_ours", Scope::Once, |_| ours()),
    ])
}

fn suite() {
    let scripts = script::of_suite(&folder());
    let told = outcomes(&scripts);
    if std::env::var_os("WHITTLE_SCRIPT").is_some() {
        return;
    }
    let old = list::read();
    let entries = scripts.iter().zip(told).map(|(script, told)| (script.name.clone(), entry(script, told, &old)));
    let new = List { scripts: entries.collect() };
    let passing = new.scripts.values().filter(|entry| entry.fails.is_none()).count();
    eprintln!("figure: packetdrill: {passing} of {} scripts pass", new.scripts.len());
    if std::env::var_os("WHITTLE_BLESS").is_some() {
        list::write(&new);
        return;
    }
    let wrong = list::differences(&old, &new);
    assert!(wrong.is_empty(), "not as tests/conformance/packetdrill.toml says:\n{}", wrong.join("\n"));
}

/// A line of the list. A cause that somebody wrote stays as long as the script fails.
fn entry(script: &Script, told: Result<(), String>, old: &List) -> Entry {
    let cause = old.scripts.get(&script.name).and_then(|entry| entry.fails.clone());
    Entry { digest: script.digest(), fails: told.err().map(|text| cause.unwrap_or(text)) }
}

fn ours() {
    folder();
    let scripts = script::in_folder(&project_root().join("tests/packetdrill/scripts"));
    assert!(!scripts.is_empty(), "our own scripts are gone");
    let told = scripts.iter().zip(outcomes(&scripts));
    let wrong: Vec<_> = told.filter_map(|(script, told)| Some(format!("{}: {}", script.name, told.err()?))).collect();
    eprintln!("figure: packetdrill: {} scripts of our own", scripts.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn outcomes(scripts: &[Script]) -> Vec<Result<(), String>> {
    let (program, library) = (script::packetdrill(&folder()), script::library());
    let named = std::env::var("WHITTLE_SCRIPT").ok();
    let wanted = |script: &&Script| named.as_ref().is_none_or(|part| script.name.contains(part));
    scripts.iter().filter(wanted).map(|script| script.run(&program, &library, named.is_some())).collect()
}

fn folder() -> std::path::PathBuf {
    need(&["gcc", "make", "bison", "flex", "/usr/bin/python3"]);
    suite_folder(&SOURCE).unwrap_or_else(|obstacle| skip(obstacle))
}
