//! A profile's text.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use serde::Deserialize;

use crate::words::{Published, Share, Size};

/// What a profile sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// Before the first option of the program's own, so that a person's come behind and win.
    pub arguments: Vec<String>,
    /// The same, where the program is root.
    pub root_arguments: Vec<String>,
    /// With one of these among the program's arguments, none are added.
    pub unless: Vec<String>,
    /// Variables.
    pub environment: BTreeMap<String, String>,
    /// Shares, for files that are to be kept.
    pub files: Vec<Share>,
    /// Ports that others reach.
    pub ports: Vec<Published>,
    /// The machine's memory.
    pub memory: Option<Size>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
struct Text {
    arguments: Vec<String>,
    unless: Vec<String>,
    environment: BTreeMap<String, String>,
    files: Vec<String>,
    ports: Vec<String>,
    memory: Option<String>,
    root: Root,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Root {
    arguments: Vec<String>,
}

impl Profile {
    /// Reads a profile; an error says what is wrong in half a sentence.
    pub fn read(text: &str) -> Result<Self, String> {
        let text: Text = toml::from_str(text).map_err(|error| told(text, &error))?;
        if let Some(word) = words(&text).find(|word| word.contains('\0')) {
            return Err(format!("{word:?} has a zero byte in it"));
        }
        if let Some(name) = text.environment.keys().find(|name| name.is_empty() || name.contains('=')) {
            return Err(format!("environment: {name:?} is no variable's name"));
        }
        Ok(Self {
            arguments: text.arguments,
            root_arguments: text.root.arguments,
            unless: text.unless,
            files: all("files", &text.files)?,
            ports: all("ports", &text.ports)?,
            memory: text.memory.map(|memory| one("memory", &memory)).transpose()?,
            environment: text.environment,
        })
    }
}

/// Everything that becomes a word of the program's.
fn words(text: &Text) -> impl Iterator<Item = &String> {
    let variables = text.environment.iter().flat_map(|(name, value)| [name, value]);
    text.arguments.iter().chain(&text.root.arguments).chain(variables)
}

fn all<T: FromStr<Err: Display>>(key: &str, texts: &[String]) -> Result<Vec<T>, String> {
    texts.iter().map(|text| one(key, text)).collect()
}

fn one<T: FromStr<Err: Display>>(key: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|error| format!("{key}: {error}"))
}

/// The error with its line, on one line.
fn told(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.map_or(1, |before| before.matches('\n').count() + 1);
    format!("line {line}: {}", error.message().replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_understood() {
        let text = "arguments = [\"-x\"]\nunless = [\"-v\"]\nfiles = [\"/var/lib/x:/var/lib/x\"]\nports = [\"8080:80\"]\n\
                    memory = \"64M\"\n[environment]\nA = \"b\"\n[root]\narguments = [\"-u\"]\n";
        let profile = Profile::read(text).unwrap();
        assert_eq!((profile.files.len(), profile.ports[0].host, profile.memory), (1, 8080, Some(Size(64 << 20))));
        assert_eq!((profile.root_arguments, profile.environment.len()), (vec!["-u".to_owned()], 1));
        assert_eq!(Profile::read("").unwrap(), Profile::default());
    }

    #[test]
    fn nonsense_is_refused_with_its_place() {
        let told = Profile::read("memory = \"1M\"\nargument = []\n").unwrap_err();
        assert!(told.starts_with("line 2: unknown field `argument`"), "{told}");
        for (text, why) in [
            ("arguments = 1", "line 1: invalid type"),
            ("ports = [\"80\"]", "ports: HOST:GUEST is expected"),
            ("files = [\"x\"]", "files: "),
            ("memory = \"x\"", "memory: a number"),
            ("[environment]\n\"A=B\" = \"c\"", "environment: \"A=B\" is no variable's name"),
            ("arguments = [\"\\u0000\"]", "\"\\0\" has a zero byte"),
            ("\u{feff}[", "line 1: "),
        ] {
            let told = Profile::read(text).unwrap_err();
            assert!(told.starts_with(why), "{text}: {told}");
        }
    }
}
