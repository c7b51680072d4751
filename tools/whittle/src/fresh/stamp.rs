//! Has anything changed that a file was built from? A stamp beside it tells.
//!
//! Its first line is a number over the names, sizes and times of the sources and over how they were built; the other
//! lines name the sources, as cargo found them (its dep-info). So a run that builds nothing costs one `stat` for each
//! source in use and asks no folder for its entries.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, openat, statat};

use crate::failure::{Doing, Failure};

/// What decides how anything here is built, whatever cargo names.
const MANIFESTS: [&str; 4] = ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml", ".cargo/config.toml"];

/// Times of files lag behind the clock by a tick of the host kernel, 10 ms at most.
const TICK: Duration = Duration::from_millis(20);

/// Whether what the stamp stands beside is built from the sources as they are now, in the way that `words` say.
#[must_use]
pub fn is_fresh(stamp: &Path, root: &Path, words: &str) -> bool {
    let Ok(text) = fs::read(stamp) else { return false };
    let (number, sources) = parts(&text);
    number == state(root, words, sources).as_bytes()
}

/// The sources that a stamp names, those below the root relative to it; none if there is no stamp.
#[must_use]
pub fn listed(stamp: &Path) -> Vec<PathBuf> {
    let text = fs::read(stamp).unwrap_or_default();
    parts(&text).1.map(|source| OsStr::from_bytes(source).into()).collect()
}

/// A stamp's number and its sources.
fn parts(text: &[u8]) -> (&[u8], impl Iterator<Item = &[u8]>) {
    let mut lines = text.split(|&byte| byte == b'\n');
    (lines.next().unwrap_or_default(), lines.filter(|line| !line.is_empty()))
}

/// Something that was built, and from what.
pub struct Built<'a> {
    /// The folder that names of sources are relative to.
    pub root: &'a Path,
    /// How it was built.
    pub words: &'a str,
    /// Cargo's list of the files it was built from.
    pub dep_info: &'a Path,
    /// What it was built from beside those.
    pub more: Vec<PathBuf>,
    /// A folder in which building itself makes files.
    pub folder: &'a Path,
}

/// Writes the stamp of what was built since `started`; none if a source changed meanwhile, so that it is built again.
pub fn write(stamp: &Path, built: &Built<'_>, started: SystemTime) -> Result<(), Failure> {
    let doing = || format!("write {}", stamp.display());
    let root = built.root;
    let dep_info = fs::read(built.dep_info).doing(format!("read {}", built.dep_info.display()))?;
    let mut sources = sources(root, &dep_info);
    sources.extend(built.more.iter().map(|path| path.strip_prefix(root).unwrap_or(path).to_owned()));
    let lines = || sources.iter().map(|source| source.as_os_str().as_bytes());
    let mut text = state(root, built.words, lines()).into_bytes();
    for line in lines() {
        text.push(b'\n');
        text.extend_from_slice(line);
    }
    let mut others = sources.iter().map(|source| root.join(source)).filter(|source| source != built.folder);
    if others.any(|source| changed_since(&source, started)) {
        // Without a stamp nothing is fresh. That there was none is as good.
        let _ = fs::remove_file(stamp);
        return Ok(());
    }
    fs::write(stamp, text).doing(doing())
}

fn changed_since(path: &Path, moment: SystemTime) -> bool {
    let modified = fs::metadata(path).and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| modified + TICK >= moment)
}

/// A number over everything that counts, in hexadecimal.
fn state<'a>(root: &Path, words: &str, sources: impl Iterator<Item = &'a [u8]>) -> String {
    let mut hasher = DefaultHasher::new();
    words.hash(&mut hasher);
    let root = openat(CWD, root, OFlags::DIRECTORY | OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok();
    for source in sources {
        source.hash(&mut hasher);
        // What does not exist has a state too.
        let status = root.as_ref().and_then(|root| statat(root, source, AtFlags::empty()).ok());
        status.map(|status| (status.st_mtime, status.st_mtime_nsec, status.st_size)).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

/// The files that cargo's dep-info names, the manifests, and the folders of packages: cargo finds build scripts there
/// that no manifest names.
fn sources(root: &Path, dep_info: &[u8]) -> BTreeSet<PathBuf> {
    let mut sources: BTreeSet<PathBuf> = MANIFESTS.map(PathBuf::from).into();
    for file in named(dep_info) {
        let Some(package) = file.ancestors().skip(1).find(|folder| folder.join("Cargo.toml").is_file()) else {
            continue;
        };
        for path in [&file, package, &package.join("Cargo.toml")] {
            sources.insert(path.strip_prefix(root).unwrap_or(path).to_owned());
        }
    }
    sources
}

/// The paths behind the colon of a makefile's rule, where a space in a name has a backslash before it.
fn named(rule: &[u8]) -> Vec<PathBuf> {
    let line = rule.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let names = line.windows(2).position(|pair| pair == b": ").map_or(&[][..], |colon| &line[colon + 2..]);
    let mut paths = vec![Vec::new()];
    let mut bytes = names.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek(), paths.last_mut()) {
            (b' ', ..) => paths.push(Vec::new()),
            (b'\\', Some(b' '), Some(path)) => path.extend(bytes.next()),
            (_, _, Some(path)) => path.push(byte),
            (_, _, None) => {}
        }
    }
    paths.retain(|path| !path.is_empty());
    paths.into_iter().map(|path| PathBuf::from(std::ffi::OsString::from_vec(path))).collect()
}

/// Whether this process executes that file, by whatever path it was started.
#[must_use]
pub fn is_this_binary(path: &Path) -> bool {
    let identity = |path: &Path| fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()));
    identity(path).is_some_and(|file| identity(Path::new("/proc/self/exe")) == Some(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_spaces_are_one_name() {
        let names = named(b"/t/x: /a/b.rs /a/with\\ space.rs\nmore: no\n");
        assert_eq!(names, [Path::new("/a/b.rs"), Path::new("/a/with space.rs")]);
        assert!(named(b"").is_empty() && named(b"x: ").is_empty());
    }

    #[test]
    fn every_change_of_a_source_shows() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let source = root.join("part/src/a.rs");
        fs::create_dir_all(source.parent().unwrap()).unwrap();
        for (path, text) in [("Cargo.toml", ""), ("part/Cargo.toml", ""), ("part/src/a.rs", "1")] {
            fs::write(root.join(path), text).unwrap();
        }
        let (stamp, dep_info) = (root.join("stamp"), root.join("dep-info"));
        fs::write(&dep_info, format!("x: {}\n", source.display())).unwrap();
        let later = || SystemTime::now() + Duration::from_secs(1);
        let fresh = |words| is_fresh(&stamp, root, words);
        let written = |started| {
            let more = vec![root.join("wishes")];
            let built = Built { root, words: "words", dep_info: &dep_info, more, folder: Path::new("") };
            write(&stamp, &built, started).unwrap();
        };
        assert!(!fresh("words"), "there is no stamp");
        written(later());
        assert!(fresh("words") && !fresh("other words"));
        fs::write(&source, "12").unwrap();
        assert!(!fresh("words"), "a source changed");
        written(later());
        fs::write(root.join("part/build.rs"), "").unwrap();
        assert!(!fresh("words"), "a build script came");
        written(later());
        fs::write(root.join("Cargo.lock"), "1").unwrap();
        assert!(!fresh("words"), "a manifest came");
        written(later());
        assert!(fresh("words"));
        fs::write(root.join("wishes"), "1").unwrap();
        assert!(!fresh("words"), "something cargo does not know came");
        written(SystemTime::now() - Duration::from_secs(1));
        assert!(!fresh("words"), "a source changed while it was built");
    }
}
