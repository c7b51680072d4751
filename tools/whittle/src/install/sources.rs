//! Which files of the repository are whittle's: what git tracks, or where there is no git what lies in folders of ours.
//! Editors leave files, people put some by, and builds make more: none of it is for others.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::failure::{Doing, Failure};

/// All that is in the repository's root, hidden files left away.
const ROOT: [&str; 23] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SPECIFICATION.md",
    "api",
    "apps",
    "architecture",
    "contracts",
    "docs",
    "elements",
    "fuzz",
    "images",
    "kernel",
    "platforms",
    "rust-toolchain.toml",
    "rustfmt.toml",
    "tests",
    "tools",
    "whittle",
];

/// The files, relative to the root, in the order of their names.
pub fn sources(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = match tracked(root) {
        Some(files) => files,
        None => ours(root)?,
    };
    // What is tracked may have been removed since, and what nobody sees serves nobody.
    files.retain(|file| !is_hidden(file) && root.join(file).is_file());
    files.sort();
    Ok(files)
}

/// What git tracks; `None` without git, or where this is no repository of its own: an installed whittle may lie in
/// another.
fn tracked(root: &Path) -> Option<Vec<PathBuf>> {
    if !root.join(".git").exists() {
        return None;
    }
    let mut git = Command::new("git");
    // Root installs from what is somebody else's, which git would not look at.
    let mut safe = OsString::from("safe.directory=");
    safe.push(fs::canonicalize(root).ok()?);
    git.arg("-C").arg(root).arg("-c").arg(safe).args(["ls-files", "-z"]);
    // A hook of git's that runs us names its own repository.
    git.env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE").env_remove("GIT_WORK_TREE");
    let output = git.output().ok().filter(|output| output.status.success())?;
    let names = output.stdout.split(|&byte| byte == 0).filter(|name| !name.is_empty());
    Some(names.map(|name| PathBuf::from(OsString::from_vec(name.to_owned()))).collect())
}

/// What lies in folders of ours and looks like nobody's leavings.
fn ours(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for name in ROOT.map(PathBuf::from) {
        if root.join(&name).is_dir() { below(root, &name, &mut found)? } else { found.push(name) }
    }
    Ok(found)
}

fn below(root: &Path, folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let doing = || format!("read {}", root.join(folder).display());
    for entry in fs::read_dir(root.join(folder)).doing(doing())? {
        let entry = entry.doing(doing())?;
        let (name, path) = (entry.file_name(), folder.join(entry.file_name()));
        match entry.file_type().doing(doing())? {
            kind if kind.is_dir() && name != "target" => below(root, &path, found)?,
            kind if kind.is_file() && !is_leaving(&name) => found.push(path),
            _ => {}
        }
    }
    Ok(())
}

/// Whether a file or a folder around it is hidden.
fn is_hidden(file: &Path) -> bool {
    file.components().any(|part| matches!(part, Component::Normal(name) if name.as_bytes().starts_with(b".")))
}

/// What editors and patches leave beside a file.
fn is_leaving(name: &OsStr) -> bool {
    let name = name.as_bytes();
    name.starts_with(b"#") || [&b"~"[..], b".orig", b".rej", b".bak"].iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two files of a repository's, and what does not belong to it.
    fn house() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let stray =
            ["notes.txt", "kernel/lib.rs~", "kernel/.lib.rs.swp", "kernel/#lib.rs#", "mine/secret", "fuzz/target/x"];
        for name in ["Cargo.toml", "kernel/lib.rs"].iter().chain(&stray) {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    fn git(folder: &Path, words: &[&str]) {
        assert!(Command::new("git").arg("-C").arg(folder).args(words).status().unwrap().success(), "{words:?}");
    }

    fn names(root: &Path) -> Vec<String> {
        sources(root).unwrap().iter().map(|path| path.display().to_string()).collect()
    }

    #[test]
    fn what_nobody_tracks_is_not_ours() {
        let folder = house();
        assert_eq!(names(folder.path()), ["Cargo.toml", "kernel/lib.rs"]);
        fs::write(folder.path().join("kernel/new.rs"), "").unwrap();
        assert_eq!(names(folder.path()), ["Cargo.toml", "kernel/lib.rs", "kernel/new.rs"]);
        if !packages::is_there("git") {
            return tell_skipped("git is missing");
        }
        git(folder.path(), &["init", "-q"]);
        // In a repository of somebody else's.
        assert_eq!(names(&folder.path().join("kernel")), [""; 0]);
        git(folder.path(), &["add", "Cargo.toml", "kernel/lib.rs"]);
        assert_eq!(names(folder.path()), ["Cargo.toml", "kernel/lib.rs"]);
        fs::remove_file(folder.path().join("kernel/lib.rs")).unwrap();
        assert_eq!(names(folder.path()), ["Cargo.toml"]);
    }

    #[test]
    fn with_git_and_without_it_is_the_same() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let Some(mut tracked) = tracked(&root) else {
            return tell_skipped("the sources are in no repository of git's");
        };
        tracked.retain(|file| !is_hidden(file));
        let ours = ours(&root).unwrap();
        let left_out: Vec<_> = tracked.iter().filter(|file| !ours.contains(file)).collect();
        assert!(left_out.is_empty(), "not installed where there is no git: {left_out:?}");
    }

    /// Past the harness, which shows nothing of a test that ends well.
    fn tell_skipped(reason: &str) {
        use std::io::Write;
        let thread = std::thread::current();
        let line = format!("\nskipped: test {}: {reason}\n", thread.name().unwrap_or("sources"));
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}
