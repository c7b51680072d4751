//! The source of a Debian package, as the machine's own lists have it.
//!
//! A list of sources is made of the machine's lists of packages for the time of a download, so that nothing of the
//! machine's is changed. apt holds what it gets against the archive's signature.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Unpacks the source of the package `name` as the folder `fresh`, which does not exist yet or is empty. Its version is
/// the newest of this release, or where that cannot be had, the one without updates: a mirror may lack some.
///
/// # Errors
/// A sentence for people: no Debian, no tool of its, or no answer from where its sources are. `fresh` is left as it is.
pub fn source(name: &str, fresh: &Path) -> Result<(), String> {
    let apt = fresh.join("apt");
    for folder in ["lists/partial", "cache/archives/partial", "parts"] {
        fs::create_dir_all(apt.join(folder)).map_err(|error| error.to_string())?;
    }
    let release = release()?;
    write_lists(&apt.join("parts"), &release)?;
    let get = |words: &[&str]| {
        let mut get = Command::new("apt-get");
        let places = [("Etc::SourceList", "none"), ("Etc::SourceParts", "parts"), ("State::Lists", "lists")];
        for (place, folder) in places.into_iter().chain([("Cache", "cache")]) {
            get.arg("-o").arg(format!("Dir::{place}={}", apt.join(folder).display()));
        }
        works(get.args(["-q", "-o", "Acquire::Retries=1"]).args(words).current_dir(fresh))
    };
    get(&["update"])?;
    get(&["source", name]).or_else(|obstacle| get(&["source", &format!("{name}/{release}")]).map_err(|_| obstacle))?;
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

/// The name of this machine's release of Debian (os-release(5)).
fn release() -> Result<String, String> {
    let text = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    name.map(str::to_owned).ok_or_else(|| "no release of Debian's".to_owned())
}

/// Writes the machine's own lists, of a release, as lists of sources (sources.list(5)).
fn write_lists(folder: &Path, release: &str) -> Result<(), String> {
    let parts = fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten().map(|entry| entry.path());
    for path in parts.chain([PathBuf::from("/etc/apt/sources.list")]) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let between = if path.extension() == Some("sources".as_ref()) { "\n\n" } else { "\n" };
        let Some(name) = path.file_name() else { continue };
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

/// Runs a command that is quiet unless it fails; then what it said is the error.
///
/// # Errors
/// It could not be started, or failed.
pub fn works(command: &mut Command) -> Result<(), String> {
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
