//! Files of sites: which system calls of which files a run has proven to be calls, for the runs after it.
//!
//! A file is TOML, for people to read and to shorten. What is in it is believed only as far as the kernel finds it in
//! the program's own files: a build id names each file, and there has to be a `syscall` at each site.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use rewrite::Object;
use serde::Deserialize;

use crate::failure::{Doing, Failure};
use crate::whole::replace;

/// The form that is written and understood.
const VERSION: i64 = 1;

const HEAD: &str = "\
# Sites of system calls that whittle has made calls, for `whittle run --sites`. A site is the offset in the file of its
# instruction `syscall`. `whittle run --record-sites` writes this file anew.
";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(rename = "version")]
    _version: i64,
    #[serde(default)]
    object: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Entry {
    path: String,
    build_id: String,
    sites: Vec<u64>,
}

/// Another form may have other words: this is looked at first.
#[derive(Deserialize)]
struct Form {
    version: i64,
}

/// Reads a file of sites.
pub fn read(path: &Path) -> Result<Vec<Object>, Failure> {
    let text = fs::read_to_string(path).doing(format!("read the sites in {}", path.display()))?;
    parse(&text).map_err(|wrong| Failure::ours(format!("{}{wrong}", path.display())))
}

/// Reads a text; an error says where and what is wrong, to stand behind the file's name.
fn parse(text: &str) -> Result<Vec<Object>, String> {
    let told = |error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        format!(":{line}: {}", error.message().replace('\n', " "))
    };
    let form: Form = toml::from_str(text).map_err(told)?;
    if form.version != VERSION {
        return Err(format!(
            ": version {} is not known, only {VERSION} is; write it anew by --record-sites",
            form.version
        ));
    }
    let text: Text = toml::from_str(text).map_err(told)?;
    let mut objects: Vec<Object> = Vec::new();
    for entry in text.object {
        let object = Object::new(&entry.build_id, &entry.path, entry.sites);
        let object = object.map_err(|wrong| format!(": the object {:?}: {wrong}", entry.path))?;
        if objects.iter().any(|other| other.build_id() == object.build_id()) {
            return Err(format!(": the build id {} is there twice", object.build_id()));
        }
        objects.push(object);
    }
    Ok(objects)
}

fn text(objects: &[Object]) -> String {
    let mut text = format!("{HEAD}version = {VERSION}\n");
    for object in objects {
        let path = toml::Value::from(object.path());
        let _ = write!(text, "\n[[object]]\npath = {path}\nbuild-id = \"{}\"\nsites = [\n", object.build_id());
        for offset in object.offsets() {
            let _ = writeln!(text, "    {offset:#x},");
        }
        text += "]\n";
    }
    text
}

/// A file of sites that a run is to leave.
#[derive(Debug)]
pub struct Recorded {
    path: PathBuf,
}

impl Recorded {
    /// Where it will be. That it cannot be written there is said before the program starts.
    pub fn at(path: &Path) -> Result<Self, Failure> {
        let path = std::path::absolute(path).doing(format!("find {}", path.display()))?;
        if path.is_dir() || path.file_name().is_none() {
            return Err(Failure::ours(format!("--record-sites {}: it is a directory", path.display())));
        }
        if !path.parent().is_some_and(Path::is_dir) {
            return Err(Failure::ours(format!("--record-sites {}: there is no such directory", path.display())));
        }
        Ok(Self { path })
    }

    /// Writes it. Whoever reads finds all of it, or what was there before.
    pub fn write(&self, objects: Vec<Object>) -> Result<(), Failure> {
        let text = text(&joined(objects));
        replace(&self.path, text.as_bytes()).doing(format!("write the sites to {}", self.path.display()))
    }
}

/// Each build once: a large one comes in parts, and a file may have several paths.
fn joined(objects: Vec<Object>) -> Vec<Object> {
    let mut joined: Vec<Object> = Vec::new();
    for object in objects {
        match joined.iter_mut().find(|other| other.build_id() == object.build_id()) {
            Some(other) => other.extend(object.offsets()),
            None => joined.push(object),
        }
    }
    joined.sort_by(|one, other| one.path().cmp(other.path()));
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(build_id: &str, path: &str, offsets: &[u64]) -> Object {
        Object::new(build_id, path, offsets.to_vec()).unwrap()
    }

    #[test]
    fn what_is_written_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sites");
        let recorded = Recorded::at(&path).unwrap();
        let parts =
            vec![object("cd", "/b\"\\c", &[9]), object("ab", "/a", &[0x9d0f5, 1]), object("cd", "/link", &[1, 9])];
        recorded.write(parts).unwrap();
        assert_eq!(read(&path).unwrap(), [object("ab", "/a", &[1, 0x9d0f5]), object("cd", "/b\"\\c", &[1, 9])]);
        assert!(fs::read_to_string(&path).unwrap().contains("\n    0x9d0f5,\n"));
        recorded.write(Vec::new()).unwrap();
        assert_eq!(read(&path).unwrap(), []);
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["sites"], "nothing is left beside it");
    }

    #[test]
    fn where_nothing_can_be_written_is_said_before() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_owned(), folder.path().join("none/sites"), "/".into()] {
            assert!(Recorded::at(&path).is_err(), "{}", path.display());
        }
    }

    #[test]
    fn what_cannot_be_replaced_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sites");
        let recorded = Recorded::at(&path).unwrap();
        fs::create_dir(&path).unwrap();
        let told = recorded.write(Vec::new()).unwrap_err();
        assert!(told.sentence.starts_with("cannot write the sites to "), "{told}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_malformed_file_is_refused_with_its_place() {
        let good = "version = 1\n[[object]]\npath = \"/a\"\nbuild-id = \"ab\"\nsites = [0x10, 7]\n";
        assert_eq!(parse(good).unwrap(), [object("ab", "/a", &[7, 16])]);
        let cases = [
            ("", ":1: missing field `version`"),
            ("version = 2\nother = 1\n", ": version 2 is not known, only 1 is; write it anew by --record-sites"),
            ("version = \"1\"\n", ":1: invalid type"),
            ("version = 1\nobject = 7\n", ":2: invalid type"),
            ("version = 1\nobjects = []\n", ":2: unknown field `objects`"),
            (&good[..good.len() - 3], ":5: "),
            (&good.replace("ab", "a"), ": the object \"/a\": a build id is pairs"),
            (&good.replace("ab", "AB"), ": the object \"/a\": a build id is pairs"),
            (&good.replace("/a", "a\\u0000"), ": the object \"a\\0\": an object is"),
            (&good.replace("/a", ""), ": the object \"\": an object is"),
            (&good.replace("7", "-7"), ":5: invalid value: integer `-7`"),
            (&good.replace("7", "7.5"), ":5: invalid type"),
            (&good.replace("path", "pat"), ":3: unknown field `pat`"),
            (&good.replace("path = \"/a\"\n", ""), ":2: missing field `path`"),
            (&[good, &good[12..]].concat(), ": the build id ab is there twice"),
            ("\u{0}", ":1: "),
        ];
        for (text, wrong) in cases {
            let told = parse(text).unwrap_err();
            assert!(told.starts_with(wrong) && !told.contains('\n'), "{text:?}: {told}");
        }
    }
}
