//! What Perl's tests say: lines of the Test Anything Protocol (Test::Harness).
//!
//! Such a test tells thousands of checks by number, and many of one name. Here a check is all that have a name in
//! common, without the numbers and the values in it, and passes if all of them do.

use std::fs;
use std::path::Path;

use super::Ended;

/// A name is cut behind so many characters.
const LONGEST: usize = 70;

/// The scripts of a folder, without their ending.
pub fn scripts(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the suite has scripts").flatten().map(|entry| entry.path());
    let scripts = entries.filter(|path| path.extension() == Some("t".as_ref()));
    let mut names: Vec<_> = scripts.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    names.sort();
    names
}

/// The checks of a unit's output.
pub fn checks(unit: &str, text: &str) -> Vec<Ended> {
    let mut checks: Vec<Ended> = Vec::new();
    for (passes, name) in text.lines().filter_map(|line| check(unit, line)) {
        match checks.iter_mut().find(|check| check.name == name) {
            Some(check) => check.passes &= passes,
            None => checks.push(Ended { name, passes, why: String::new() }),
        }
    }
    for check in checks.iter_mut().filter(|check| !check.passes) {
        check.why = format!("it fails, and the test ends with: {}", text.lines().next_back().unwrap_or_default());
    }
    checks
}

/// One line's: nothing where the test itself says that it does not count.
fn check(unit: &str, line: &str) -> Option<(bool, String)> {
    let (passes, rest) = match line.strip_prefix("not ok ") {
        Some(rest) => (false, rest),
        None => (true, line.strip_prefix("ok ")?),
    };
    let (number, said) = rest.split_once(" - ").unwrap_or((rest, ""));
    if [number, said].iter().any(|text| text.contains("# skip") || text.contains("# TODO")) {
        return None;
    }
    let said = said.split(" == ").next().unwrap_or_default();
    Some((passes, format!("{unit}: {}", without_numbers(said))))
}

fn without_numbers(text: &str) -> String {
    let mut name = String::new();
    for letter in text.trim().chars() {
        match letter {
            '0'..='9' if name.ends_with('#') => {}
            '0'..='9' => name.push('#'),
            letter if letter.is_control() => name.push(' '),
            letter => name.push(letter),
        }
    }
    let words: Vec<_> = name.split(' ').map(|word| if is_drawn(word) { "#" } else { word }).collect();
    words.join(" ").chars().take(LONGEST).collect()
}

/// Whether a word was drawn by chance, and is another the next time: capital letters, and more than any word has.
fn is_drawn(word: &str) -> bool {
    word.len() > 20 && word.bytes().all(|letter| letter.is_ascii_uppercase())
}
