//! `whittle.toml`: what a person wants in an image. Every word keeps its line, so that whoever finds it wrong can say
//! where it stands.

mod linux;
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

pub use linux::Linux;
use table::{Node, Table};

use super::REQUEST;
use super::parameter::Value;
use crate::failure::{Failure, plain};

/// The word for a contract that is to stay without a provider.
pub const NONE: &str = "none";

/// The kind of a native Rust application, whose crate lies beside whittle.toml.
pub const RUST: &str = "rust";

/// The kind of an unmodified Linux program.
pub const LINUX: &str = "linux";

/// A word or value and the line it stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// The word.
    pub value: T,
    /// Its line, from 1.
    pub line: usize,
}

/// Names and their values, in the order of the file.
pub type Assignments = Vec<(Located<String>, Located<Value>)>;

/// A component named for a contract, or for a further heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The contract, or the heap's name.
    pub name: Located<String>,
    /// The component, or [`NONE`].
    pub component: Located<String>,
    /// Options, in the order of the file.
    pub options: Assignments,
}

/// A whittle.toml.
#[derive(Clone, Debug)]
pub struct Request {
    /// The file, as its errors name it.
    pub file: PathBuf,
    /// The image's name.
    pub name: String,
    /// The kind of application.
    pub kind: Located<String>,
    /// The platforms, if the file says which.
    pub platforms: Option<Vec<Located<String>>>,
    /// `float`: whether the application computes with the processor's floating-point registers, and the line that says
    /// so.
    pub hard_float: Option<usize>,
    /// `optimize`: whether the image is compiled for the least bytes.
    pub small: bool,
    /// `optimize`: whether all of it is compiled for speed.
    pub fast: bool,
    /// `[components]`.
    pub components: Vec<Choice>,
    /// `[heaps]`.
    pub heaps: Vec<Choice>,
    /// `[linux]`.
    pub linux: Linux,
    /// `[settings]`.
    pub settings: Assignments,
    /// `[crates]`: crates of the person's own that hold components, by name, and their folders relative to the file.
    pub crates: Vec<(String, Located<String>)>,
    /// `[eject]`: the person's own crate of a platform, relative to the file.
    pub eject: BTreeMap<String, String>,
    /// The crate beside the file: its package's name, where there is one.
    pub application: Option<String>,
}

impl Request {
    /// Reads the whittle.toml of a folder.
    pub fn of_folder(folder: &Path) -> Result<Self, Failure> {
        Self::read(&folder.join(REQUEST))
    }

    /// Reads a file and looks whether the files it names are there.
    pub fn read(file: &Path) -> Result<Self, Failure> {
        let request = Self::read_text(file)?;
        request.check_files()?;
        Ok(request)
    }

    /// Reads a file. What it names may be missing.
    pub fn read_text(file: &Path) -> Result<Self, Failure> {
        let name = file.display();
        let text = fs::read_to_string(file).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                Failure::ours(format!("there is no {name}: `whittle new NAME` makes a folder with one"))
            }
            _ => Failure::ours(format!("cannot read {name}: {}", plain(&error))),
        })?;
        let mut request = Self::parse(file, &text)?;
        request.application = application(request.folder());
        Ok(request)
    }

    /// Reads a text as the whittle.toml at `file`, which need not exist.
    pub fn parse(file: &Path, text: &str) -> Result<Self, Failure> {
        let mut top = Table::parse(file, text)?;
        let name = top.required("name", "\"hello\"")?.text()?;
        check_name(&name.value).map_err(|wrong| failure(file, name.line, &wrong))?;
        let optimized = optimize(file, &mut top)?;
        let request = Self {
            file: file.to_owned(),
            name: name.value,
            kind: top.required("kind", "\"rust\" or \"linux\"")?.text()?,
            platforms: top.take("platform").map(platforms).transpose()?,
            hard_float: float(file, &mut top)?,
            small: optimized == Some(Optimized::Size),
            fast: optimized == Some(Optimized::Speed),
            components: choices(&mut top, "components")?,
            heaps: choices(&mut top, "heaps")?,
            linux: Linux::take(&mut top)?,
            settings: match top.take("settings") {
                Some(settings) => values(settings.table()?)?,
                None => Vec::new(),
            },
            crates: match top.take("crates") {
                Some(crates) => texts(crates.table()?)?,
                None => Vec::new(),
            },
            eject: match top.take("eject") {
                Some(eject) => texts(eject.table()?)?.into_iter().map(|(name, path)| (name, path.value)).collect(),
                None => BTreeMap::new(),
            },
            application: None,
        };
        top.end()?;
        Ok(request)
    }

    /// The folder that the file's paths are relative to.
    #[must_use]
    pub fn folder(&self) -> &Path {
        match self.file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        }
    }

    /// A failure that names the file and a line of it.
    #[must_use]
    pub fn wrong(&self, line: usize, sentence: &str) -> Failure {
        failure(&self.file, line, sentence)
    }

    /// The line that says of a setting that it is off, if one does.
    #[must_use]
    pub fn leaves_out(&self, setting: &str) -> Option<usize> {
        let named = self.settings.iter().find(|(name, _)| name.value == setting);
        named.filter(|(_, value)| value.value == Value::Bool(false)).map(|(name, _)| name.line)
    }

    fn check_files(&self) -> Result<(), Failure> {
        if self.kind.value == RUST && self.application.is_none() {
            let sentence = format!(
                "kind `rust` builds the crate beside this file, and there is no Cargo.toml with a [package] in {}",
                self.folder().display()
            );
            return Err(self.wrong(self.kind.line, &sentence));
        }
        if self.kind.value != LINUX && self.linux.line > 0 {
            let sentence = format!("[linux] belongs to kind `linux`, and this image's kind is `{}`", self.kind.value);
            return Err(self.wrong(self.linux.line, &sentence));
        }
        if let (Some(sites), Some(_)) = (&self.linux.sites, self.leaves_out("rewrite")) {
            let sentence = "`sites` says nothing to this image: its setting `rewrite` is false";
            return Err(self.wrong(sites.line, sentence));
        }
        let program = self.linux.program.iter().map(|program| ("program", program));
        let files = self.linux.files.iter().map(|(_, host)| ("file", host));
        let sites = self.linux.sites.iter().map(|sites| ("file", sites));
        for (what, path) in program.chain(files).chain(sites) {
            if !self.folder().join(&path.value).exists() {
                return Err(self.wrong(path.line, &format!("there is no such {what}: {}", path.value)));
            }
        }
        Ok(())
    }
}

/// A sentence about a line of a file. Line 0 is the whole file.
pub(super) fn failure(file: &Path, line: usize, sentence: &str) -> Failure {
    match line {
        0 => Failure::ours(format!("{}: {sentence}", file.display())),
        line => Failure::ours(format!("{}:{line}: {sentence}", file.display())),
    }
}

/// The line, from 1, of a place in a text.
#[must_use]
pub fn line_of(text: &str, place: usize) -> usize {
    let before = text.as_bytes().get(..place).unwrap_or(text.as_bytes());
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}

/// An image's name is the name of its crate and of files.
pub fn check_name(name: &str) -> Result<(), String> {
    let letters = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let begins = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if begins && name.chars().all(letters) {
        return Ok(());
    }
    Err(format!("`{name}` cannot be a crate's name: letters, digits, `-` and `_`, a letter first"))
}

fn platforms(node: Node<'_>) -> Result<Vec<Located<String>>, Failure> {
    if node.is_text() {
        return Ok(vec![node.text()?]);
    }
    let line = node.line;
    let (file, words) = (node.file, node.list()?);
    if words.is_empty() {
        return Err(failure(file, line, "the list of platforms is empty: name one, or leave `platform` out for all"));
    }
    Ok(words)
}

fn choices(top: &mut Table<'_>, key: &'static str) -> Result<Vec<Choice>, Failure> {
    let Some(node) = top.take(key) else { return Ok(Vec::new()) };
    node.table()?.entries().map(|(name, node)| choice(name, node)).collect()
}

/// `contract = "component"` or `contract = { use = "component", option = value }`.
fn choice(name: Located<String>, node: Node<'_>) -> Result<Choice, Failure> {
    if node.is_text() {
        return Ok(Choice { name, component: node.text()?, options: Vec::new() });
    }
    if !node.is_table() {
        let expected = format!("a component's name, as in {} = \"plain\"", name.value);
        return Err(node.unexpected(&name.value, &expected));
    }
    let mut table = node.table()?;
    let component = table.required("use", "\"tlsf\"")?.text()?;
    Ok(Choice { name, component, options: values(table)? })
}

fn values(table: Table<'_>) -> Result<Assignments, Failure> {
    table.entries().map(|(name, node)| Ok((name, node.value()?))).collect()
}

fn texts(table: Table<'_>) -> Result<Vec<(String, Located<String>)>, Failure> {
    table.entries().map(|(name, node)| Ok((name.value, node.text()?))).collect()
}

/// The name of the package in a folder.
fn application(folder: &Path) -> Option<String> {
    #[derive(Deserialize)]
    struct Manifest {
        package: Package,
    }
    #[derive(Deserialize)]
    struct Package {
        name: String,
    }
    let text = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
    toml::from_str::<Manifest>(&text).ok().map(|manifest| manifest.package.name)
}

/// `float = "hard"`: its line.
fn float(file: &Path, top: &mut Table) -> Result<Option<usize>, Failure> {
    let Some(word) = top.take("float").map(Node::text).transpose()? else { return Ok(None) };
    match &*word.value {
        "hard" => Ok(Some(word.line)),
        "soft" => Ok(None),
        other => Err(failure(file, word.line, &format!("`float` is \"soft\" or \"hard\", not \"{other}\""))),
    }
}

/// What an image is compiled for, where it is said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Optimized {
    Size,
    Speed,
}

/// `optimize = "size"`.
fn optimize(file: &Path, top: &mut Table) -> Result<Option<Optimized>, Failure> {
    let Some(word) = top.take("optimize").map(Node::text).transpose()? else { return Ok(None) };
    match &*word.value {
        "size" => Ok(Some(Optimized::Size)),
        "speed" => Ok(Some(Optimized::Speed)),
        other => Err(failure(file, word.line, &format!("`optimize` is \"size\" or \"speed\", not \"{other}\""))),
    }
}
