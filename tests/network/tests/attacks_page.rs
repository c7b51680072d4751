//! The book's table of attacks (`docs/src/attacks.md`) names tests: they are there, and none of the hostile ones is
//! left out.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Where tests of the stack are.
const FOLDERS: [&str; 5] = [
    "elements/netstack/src",
    "elements/resolver/src",
    "elements/tcp/src",
    "tests/network/tests",
    "tests/system/tests/fuzz.rs",
];
/// Files of which every test is about an attack.
const HOSTILE: [&str; 3] = [
    "elements/netstack/src/tests/attacks.rs",
    "elements/tcp/src/tests/attacks.rs",
    "tests/network/tests/attacks/main.rs",
];
/// About a mechanism that a row names, and not a row of its own.
const BESIDE: [&str; 1] = ["a_cookie_without_timestamps_remembers_the_segment_size"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("it is two folders deep").to_owned()
}

fn sources(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        fs::read_dir(path).unwrap().for_each(|entry| sources(&entry.unwrap().path(), found));
    } else if path.extension().is_some_and(|kind| kind == "rs") {
        found.push(path.to_owned());
    }
}

/// Names of the tests in a source: functions behind `#[test]`, those that count what is allocated, and checks of the
/// fuzz targets.
fn tests_of(path: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(path).unwrap();
    let word =
        |rest: &str| rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().map(str::to_owned);
    let functions = text.split("#[test]\n").skip(1).filter_map(|rest| word(rest.split_once("fn ")?.1));
    let list = text.split_once("run_counted!(").and_then(|(_, rest)| rest.split_once(')'));
    let counted =
        list.map_or("", |(list, _)| list).split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let checks = text.split("Check::new(\"").skip(1).filter_map(word);
    functions.chain(counted).chain(checks).collect()
}

/// The last cells of the page's tables.
fn named() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("docs/src/attacks.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with('|'));
    let cells = rows.filter_map(|row| row.trim_end_matches('|').rsplit_once('|'));
    cells.flat_map(|(_, cell)| cell.split('`').skip(1).step_by(2).map(str::to_owned)).collect()
}

#[test]
fn each_row_is_a_test() {
    let mut files = Vec::new();
    FOLDERS.iter().for_each(|folder| sources(&root().join(folder), &mut files));
    let there: BTreeSet<String> = files.iter().flat_map(|file| tests_of(file)).collect();
    let named = named();
    assert!(named.len() > 40 && there.len() > 200, "the page or the tests could not be read");
    let missing: Vec<_> = named.difference(&there).collect();
    assert!(missing.is_empty(), "the page names tests that are not there: {missing:?}");
}

#[test]
fn each_hostile_test_is_in_a_row() {
    let named = named();
    let hostile = HOSTILE.iter().flat_map(|file| tests_of(&root().join(file)));
    let missing: Vec<_> = hostile.filter(|test| !named.contains(test) && !BESIDE.contains(&&**test)).collect();
    assert!(missing.is_empty(), "docs/src/attacks.md does not have {missing:?}");
}
