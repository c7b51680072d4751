//! The compound words of `whittle run`'s options: `HOST:GUEST` and `K=V`.

use std::path::PathBuf;
use std::str::FromStr;

/// A file or directory of the host's for the guest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Where it is on the host.
    pub host: PathBuf,
    /// Its absolute path in the guest.
    pub guest: String,
    /// The guest does not change it.
    pub read_only: bool,
}

impl FromStr for Share {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (text, read_only) = match text.strip_suffix(":ro") {
            Some(text) => (text, true),
            None => (text.strip_suffix(":rw").unwrap_or(text), false),
        };
        // The guest's part begins at the last colon: a host path may hold some.
        let (host, guest) = text.rsplit_once(':').ok_or("HOST:GUEST is expected, as in ./data:/data")?;
        match (host, guest) {
            ("", _) => Err("the host's path is empty"),
            (_, guest) if !guest.starts_with('/') => Err("the guest's path must begin with /"),
            _ => Ok(Self { host: host.into(), guest: guest.into(), read_only }),
        }
    }
}

/// An environment variable for the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value; `None` takes the command's own, if it has one.
    pub value: Option<String>,
}

impl FromStr for Variable {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (text, None),
        };
        match name {
            "" => Err("a variable needs a name, as in LANG=C"),
            _ => Ok(Self { name: name.to_owned(), value }),
        }
    }
}
