//! Bytes of components, as `whittle inspect` counts them in the image built last.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::inspect::grouped;

/// What is known of the bytes.
#[derive(Debug, Default)]
pub enum Measured {
    /// There is no image.
    #[default]
    NotBuilt,
    /// They are being counted.
    Counting,
    /// They could not be counted.
    Unknown,
    /// Counted.
    Known(Sizes),
}

/// The bytes of an image.
#[derive(Debug, Default, Deserialize)]
pub struct Sizes {
    bytes: Whole,
    components: Vec<Part>,
    written: Vec<Leaf>,
}

#[derive(Debug, Default, Deserialize)]
struct Whole {
    file: u64,
}

#[derive(Debug, Default, Deserialize)]
struct Part {
    name: String,
    #[serde(rename = "crate")]
    package: String,
    bytes: u64,
    shared: u64,
}

#[derive(Debug, Default, Deserialize)]
struct Leaf {
    #[serde(rename = "crate")]
    package: String,
    module: String,
    bytes: u64,
}

impl Measured {
    /// Reads what `inspect --json` wrote.
    pub fn read(json: &[u8]) -> Self {
        serde_json::from_slice(json).map_or(Self::Unknown, Self::Known)
    }

    /// What a component adds, in words.
    pub fn component(&self, name: &str) -> String {
        let Self::Known(sizes) = self else { return self.nothing().to_owned() };
        let Some(part) = sizes.components.iter().find(|part| part.name == name) else {
            return String::from("not in the image built last");
        };
        let (own, whole) = (grouped(part.bytes), grouped(sizes.bytes.file));
        let shared = format!("{} bytes of `{}` are of several components", grouped(part.shared), part.package);
        match (part.bytes, part.shared) {
            (_, 0) => format!("{own} bytes of {whole} in the image built last"),
            (0, _) => format!("not told apart in the image built last; {shared}"),
            _ => format!("{own} bytes of {whole} in the image built last; {shared}"),
        }
    }

    /// What the system calls of these names add, in words; each is a module of its own.
    pub fn calls(&self, family: &str, names: &[&str]) -> String {
        let Self::Known(sizes) = self else { return self.nothing().to_owned() };
        let mut by_module: BTreeMap<&str, u64> = BTreeMap::new();
        for leaf in sizes.written.iter().filter(|leaf| leaf.package == "linux") {
            *by_module.entry(&leaf.module).or_default() += leaf.bytes;
        }
        let is = |module: &str| {
            let mut segments = module.split("::");
            segments.next() == Some(family) && segments.next().is_some_and(|name| names.contains(&name))
        };
        let bytes: u64 = by_module.iter().filter(|(module, _)| is(module)).map(|(_, bytes)| bytes).sum();
        match bytes {
            0 => String::from("none counted in the image built last"),
            bytes => format!("{} bytes written for it in the image built last", grouped(bytes)),
        }
    }

    fn nothing(&self) -> &'static str {
        match self {
            Self::NotBuilt => "not built yet (b builds)",
            Self::Counting => "being counted",
            Self::Unknown | Self::Known(_) => "the image built last cannot be inspected (b builds)",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_that_inspect_counted() {
        let json = br#"{"bytes": {"file": 70000, "text": 1}, "components": [
            {"name": "tlsf", "crate": "heap", "bytes": 1234, "shared": 0},
            {"name": "plain", "crate": "pc", "bytes": 56, "shared": 7890}],
            "written": [{"crate": "linux", "module": "file::read", "function": "a", "bytes": 40},
            {"crate": "linux", "module": "file::read::tests", "function": "b", "bytes": 2},
            {"crate": "other", "module": "file::read", "function": "c", "bytes": 100}]}"#;
        let measured = Measured::read(json);
        assert_eq!(measured.component("tlsf"), "1 234 bytes of 70 000 in the image built last");
        assert!(measured.component("plain").ends_with("; 7 890 bytes of `pc` are of several components"));
        assert_eq!(measured.component("port"), "not in the image built last");
        assert_eq!(measured.calls("file", &["read", "write"]), "42 bytes written for it in the image built last");
        assert!(measured.calls("file", &["write"]).starts_with("none"));
        assert!(matches!(Measured::read(b"{"), Measured::Unknown));
        assert!(Measured::NotBuilt.component("tlsf").contains("not built yet"));
    }
}
