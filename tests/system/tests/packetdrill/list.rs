//! The list of scripts: `tests/conformance/packetdrill.toml`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use serde::Deserialize;
use system_tests::project_root;

const HEAD: &str = "\
# packetdrill's scripts that are not about fast open, against our TCP: the SHA-256 of each, and why it fails if it does.
# The harness is tests/system/tests/packetdrill; `WHITTLE_BLESS=1 cargo test -p system-tests --test packetdrill` writes
# this anew, and keeps the causes.

[scripts]
";

/// All scripts by name.
#[derive(Debug, Default, Deserialize)]
pub struct List {
    /// In order.
    pub scripts: BTreeMap<String, Entry>,
}

/// What is known of one.
#[derive(Debug, PartialEq, Eq, Deserialize)]
pub struct Entry {
    /// SHA-256 in hexadecimal digits.
    pub digest: String,
    /// Why it fails.
    pub fails: Option<String>,
}

fn path() -> PathBuf {
    project_root().join("tests/conformance/packetdrill.toml")
}

/// The list, or an empty one.
pub fn read() -> List {
    let text = fs::read_to_string(path()).unwrap_or_else(|_| HEAD.into());
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path().display()))
}

/// Writes the list.
pub fn write(list: &List) {
    let mut text = HEAD.to_owned();
    for (name, Entry { digest, fails }) in &list.scripts {
        let fails = fails.as_ref().map_or_else(String::new, |cause| format!(", fails = {}", quoted(cause)));
        writeln!(text, "\"{name}\" = {{ digest = \"{digest}\"{fails} }}").expect("a text takes all");
    }
    fs::write(path(), text).expect("the list can be written");
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.replace('\n', " ")).to_string()
}

/// A line for each script whose outcome, or whose own text, is another one than the list says.
pub fn differences(old: &List, new: &List) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, entry) in &new.scripts {
        match (old.scripts.get(name), &entry.fails) {
            (None, _) => wrong.push(format!("{name} is not on the list")),
            (Some(known), _) if known.digest != entry.digest => wrong.push(format!("{name} is another script")),
            (Some(Entry { fails: None, .. }), Some(text)) => wrong.push(format!("{name} fails: {text}")),
            (Some(Entry { fails: Some(_), .. }), None) => wrong.push(format!("{name} passes")),
            _ => {}
        }
    }
    let gone = old.scripts.keys().filter(|name| !new.scripts.contains_key(*name));
    wrong.extend(gone.map(|name| format!("{name} is gone")));
    wrong
}
