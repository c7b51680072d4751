//! Debian's packages that are not installed: a source, and the files of another, unpacked below the target folder.
//!
//! Where they come from the machine's own lists say. A list of sources is made of those for the time of a download, so
//! that nothing of the machine's is changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use crate::work_folder;

type Found = Mutex<BTreeMap<String, Result<PathBuf, String>>>;

/// The unpacked source of a package, or why there is none.
///
/// # Errors
/// A sentence for people: no Debian, or no answer from where its sources are.
///
/// # Panics
/// Never, but where a thread has panicked in it.
pub fn debian_source(name: &str) -> Result<PathBuf, String> {
    static FOUND: Found = Mutex::new(BTreeMap::new());
    let get = || folder_of(&format!("debian-{name}"), |fresh| source_into(name, fresh));
    FOUND.lock().unwrap().entry(name.to_owned()).or_insert_with(get).clone()
}

/// The files of packages as they would be below the root, or why there are none. `of` is an installed package: they are
/// those of its version.
///
/// # Errors
/// As above.
///
/// # Panics
/// As above.
pub fn debian_files(names: &[&str], of: &str) -> Result<PathBuf, String> {
    static FOUND: Found = Mutex::new(BTreeMap::new());
    let get = || folder_of(&format!("debian-files-{of}"), |fresh| files_into(names, of, fresh));
    FOUND.lock().unwrap().entry(of.to_owned()).or_insert_with(get).clone()
}

/// A folder that is whole or not there.
fn folder_of(name: &str, fill: impl FnOnce(&Path) -> Result<(), String>) -> Result<PathBuf, String> {
    let folder = work_folder().join("suites").join(name);
    if folder.is_dir() {
        return Ok(folder);
    }
    let fresh = folder.with_extension("new");
    let _ = fs::remove_dir_all(&fresh);
    fs::create_dir_all(&fresh).map_err(|error| format!("{}: {error}", fresh.display()))?;
    fill(&fresh)?;
    fs::rename(&fresh, &folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

fn source_into(name: &str, fresh: &Path) -> Result<(), String> {
    let apt = fresh.join("apt");
    for folder in ["lists/partial", "cache/archives/partial", "parts"] {
        fs::create_dir_all(apt.join(folder)).map_err(|error| error.to_string())?;
    }
    write_lists(&apt.join("parts"))?;
    let get = |words: &[&str]| {
        let mut get = Command::new("apt-get");
        let places = [("Etc::SourceList", "none"), ("Etc::SourceParts", "parts"), ("State::Lists", "lists")];
        for (place, folder) in places.into_iter().chain([("Cache", "cache")]) {
            get.arg("-o").arg(format!("Dir::{place}={}", apt.join(folder).display()));
        }
        works(get.args(["-q", "-o", "Acquire::Retries=1"]).args(words).current_dir(fresh))
    };
    get(&["update"])?;
    get(&["source", name])?;
    only_folder(fresh, &apt)
}

/// Moves what lies in the one folder of the source to where its parent is, and takes away all else.
fn only_folder(fresh: &Path, apt: &Path) -> Result<(), String> {
    let entries = fs::read_dir(fresh).map_err(|error| error.to_string())?;
    let mut folders = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir() && path != apt);
    let source = folders.next().ok_or("apt-get has unpacked nothing")?;
    let beside = fresh.with_extension("source");
    let _ = fs::remove_dir_all(&beside);
    let moved = fs::rename(&source, &beside).and_then(|()| fs::remove_dir_all(fresh));
    moved.and_then(|()| fs::rename(&beside, fresh)).map_err(|error| error.to_string())
}

fn files_into(names: &[&str], of: &str, fresh: &Path) -> Result<(), String> {
    let mut query = Command::new("dpkg-query");
    let output = query.args(["-W", "-f", "${Version}", of]).output().map_err(|error| format!("dpkg-query: {error}"))?;
    let version = String::from_utf8_lossy(&output.stdout).into_owned();
    let wanted = names.iter().map(|name| format!("{name}={version}"));
    works(Command::new("apt-get").args(["-q", "download"]).args(wanted).current_dir(fresh))?;
    for entry in fs::read_dir(fresh).map_err(|error| error.to_string())?.flatten() {
        works(Command::new("dpkg-deb").arg("-x").arg(entry.path()).arg(fresh))?;
        fs::remove_file(entry.path()).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Writes the machine's own lists, of this release, as lists of sources (sources.list(5)).
fn write_lists(folder: &Path) -> Result<(), String> {
    let text = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let release =
        text.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME=")).ok_or("no release of Debian's")?;
    let parts = fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten().map(|entry| entry.path());
    for path in parts.chain([PathBuf::from("/etc/apt/sources.list")]) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let between = if path.extension() == Some("sources".as_ref()) { "\n\n" } else { "\n" };
        let name = path.file_name().expect("a file has a name");
        fs::write(folder.join(name), of_release(&text, between, release)).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Those entries that name the release or a part of it, such as its updates, with the word for sources.
fn of_release(text: &str, between: &str, release: &str) -> String {
    let names = |word: &str| word.strip_prefix(release).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
    let mine = text.split(between).filter(|entry| entry.split_whitespace().any(names));
    let lines = |entry: &str| entry.lines().map(as_source).collect::<Vec<_>>().join("\n") + between;
    mine.map(lines).collect()
}

fn as_source(line: &str) -> String {
    match (line.strip_prefix("deb "), line.strip_prefix("Types:")) {
        (Some(rest), _) => format!("deb-src {rest}"),
        (_, Some(_)) => "Types: deb-src".to_owned(),
        _ => line.to_owned(),
    }
}

fn works(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{command:?}: {error}"))?;
    output.status.success().then_some(()).ok_or_else(|| String::from_utf8_lossy(&output.stderr).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_the_release_become_lists_of_sources() {
        let lines = "deb http://one.example/d trixie main\n# deb\ndeb http://two.example other main\n";
        assert_eq!(of_release(lines, "\n", "trixie"), "deb-src http://one.example/d trixie main\n");
        let stanzas = "Types: deb\nURIs: http://one.example\nSuites: trixie trixie-updates\n\n\
                       Types: deb\nURIs: http://two.example\nSuites: other-trixie\n";
        let wanted = "Types: deb-src\nURIs: http://one.example\nSuites: trixie trixie-updates\n\n";
        assert_eq!(of_release(stanzas, "\n\n", "trixie"), wanted);
    }
}
