//! What is installed, and where below the prefix.

use std::borrow::Cow;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::sources::sources;
use crate::arguments::{Platform, Shell};
use crate::compose::Place;
use crate::failure::{Doing, Failure};
use crate::house::{House, installed};
use crate::manual;

/// Documents of the repository's root that are for users.
const DOCUMENTS: [&str; 5] = ["README.md", "SPECIFICATION.md", "ARCHITECTURE.md", "LICENSE-APACHE", "LICENSE-MIT"];
/// The book's chapters.
const BOOK: &str = "docs/src";

/// A file to be installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Below the prefix.
    pub path: PathBuf,
    /// What is in it.
    pub content: Content,
    /// Its permissions.
    pub mode: u32,
}

/// What is in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// These bytes.
    Bytes(Vec<u8>),
    /// What is in that file.
    File(PathBuf),
}

impl Content {
    /// The bytes.
    pub fn bytes(&self) -> Result<Cow<'_, [u8]>, Failure> {
        match self {
            Self::Bytes(bytes) => Ok(Cow::Borrowed(bytes)),
            Self::File(path) => fs::read(path).map(Cow::Owned).doing(format!("read {}", path.display())),
        }
    }
}

impl Entry {
    /// A file.
    pub fn file(path: impl Into<PathBuf>, content: Content, mode: u32) -> Self {
        Self { path: path.into(), content, mode }
    }
}

/// Everything, in the order of the names.
pub fn entries(house: &House) -> Result<Vec<Entry>, Failure> {
    let binary = std::env::current_exe().doing("find this command")?;
    let mut entries = vec![Entry::file("bin/whittle", Content::File(binary), 0o755)];
    entries.extend(images(house));
    let sources = sources(&house.root)?;
    entries.extend(documents(house, &sources));
    entries.extend(completions());
    entries.extend(pages()?);
    entries.extend(source_code(house, &sources)?);
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(entries)
}

/// The ready images, with the files that tell their names and what they are made of.
fn images(house: &House) -> Vec<Entry> {
    let mut entries = Vec::new();
    for place in [Place::ready(house), Place::with_disks(house)] {
        for platform in [Platform::Process, Platform::Pc].map(Platform::name) {
            let files =
                [(place.image(platform), 0o755), (place.symbols(platform), 0o644), (place.plan(platform), 0o644)];
            entries.extend(files.into_iter().filter_map(|(file, mode)| {
                let path = Path::new(installed::IMAGES).join(file.file_name()?);
                Some(Entry::file(path, Content::File(file), mode))
            }));
        }
    }
    entries
}

/// The book and what else is to be read.
fn documents(house: &House, sources: &[PathBuf]) -> Vec<Entry> {
    let folder = Path::new("share/doc/whittle");
    let file = |path: &Path, name: &Path| Entry::file(folder.join(name), Content::File(house.root.join(path)), 0o644);
    let documents = DOCUMENTS.iter().map(|name| file(Path::new(name), Path::new(name)));
    // Where the links between them lead.
    let chapters = sources.iter().filter(|path| path.starts_with(BOOK)).map(|path| file(path, path));
    documents.chain(chapters).collect()
}

/// Where each shell looks.
fn completions() -> Vec<Entry> {
    let place = |shell| match shell {
        Shell::Bash => "share/bash-completion/completions/whittle",
        Shell::Fish => "share/fish/vendor_completions.d/whittle.fish",
        Shell::Zsh => "share/zsh/vendor-completions/_whittle",
    };
    let file = |shell| Entry::file(place(shell), Content::Bytes(manual::completions_of(shell)), 0o644);
    [Shell::Bash, Shell::Fish, Shell::Zsh].map(file).into()
}

fn pages() -> Result<Vec<Entry>, Failure> {
    let folder = Path::new("share/man/man1");
    let pages = manual::pages()?.into_iter();
    Ok(pages.map(|(name, text)| Entry::file(folder.join(name), Content::Bytes(text), 0o644)).collect())
}

/// The repository, for who has Rust.
fn source_code(house: &House, sources: &[PathBuf]) -> Result<Vec<Entry>, Failure> {
    let entry = |name: &PathBuf| {
        let path = house.root.join(name);
        let mode = fs::metadata(&path).doing(format!("read {}", path.display()))?.permissions().mode();
        let mode = if mode & 0o100 == 0 { 0o644 } else { 0o755 };
        Ok(Entry::file(Path::new(installed::SOURCE).join(name), Content::File(path), mode))
    };
    sources.iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chapters_are_installed_where_documents_link_to() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let house = House::repository(root.clone());
        let documents = documents(&house, &sources(&root).unwrap());
        let text = fs::read_to_string(root.join("SPECIFICATION.md")).unwrap();
        let links: Vec<&str> = text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
        assert!(!links.is_empty());
        for link in links {
            let path = Path::new("share/doc/whittle").join(link);
            assert!(documents.iter().any(|document| document.path == path), "{link} is not installed");
        }
    }
}
