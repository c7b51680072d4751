//! Debian's packages that are not installed: a source, and the files of another, unpacked below the target folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use packages::source::{source, works};

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
    let get = || folder_of(&format!("debian-{name}"), |fresh| source(name, fresh));
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
