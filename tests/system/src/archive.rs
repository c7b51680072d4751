//! Where a suite comes from: an archive in the folder that `WHITTLE_SUITES` names, or in `../shared/suites`; else the
//! pinned commit, by git from its home. It is unpacked below the target folder and never becomes part of the project.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use crate::{project_root, work_folder};

/// A suite's name, home and state.
pub struct Source {
    /// The archive is `NAME.tar.xz`, with one folder of this name in it.
    pub name: &'static str,
    /// A repository of git's.
    pub home: &'static str,
    /// Its commit.
    pub commit: &'static str,
}

/// The suite's folder, or why there is none.
///
/// # Errors
/// A sentence for people: no archive, and no answer from its home.
///
/// # Panics
/// Never, but where a thread has panicked in it.
pub fn suite_folder(source: &Source) -> Result<PathBuf, String> {
    static FOUND: Mutex<BTreeMap<&str, Result<PathBuf, String>>> = Mutex::new(BTreeMap::new());
    FOUND.lock().unwrap().entry(source.name).or_insert_with(|| unpacked(source)).clone()
}

fn unpacked(source: &Source) -> Result<PathBuf, String> {
    let folder = work_folder().join("suites").join(format!("{}-{}", source.name, &source.commit[..12]));
    if folder.is_dir() {
        return Ok(folder);
    }
    let fresh = folder.with_extension("new");
    let _ = fs::remove_dir_all(&fresh);
    fs::create_dir_all(&fresh).map_err(|error| format!("{}: {error}", fresh.display()))?;
    match archive(source.name) {
        Some(archive) => {
            let mut tar = Command::new("tar");
            works(tar.arg("-xJf").arg(&archive).args(["--strip-components=1", "-C"]).arg(&fresh))?;
        }
        None => fetch(source, &fresh).map_err(|error| {
            format!(
                "{}.tar.xz is not in the folder that WHITTLE_SUITES names, and its home does not answer: {error}",
                source.name
            )
        })?,
    }
    fs::rename(&fresh, &folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

fn archive(name: &str) -> Option<PathBuf> {
    let named = std::env::var_os("WHITTLE_SUITES").map(PathBuf::from);
    let folders = named.into_iter().chain([project_root().join("../shared/suites")]);
    folders.map(|folder| folder.join(format!("{name}.tar.xz"))).find(|archive| archive.is_file())
}

fn fetch(source: &Source, folder: &Path) -> Result<(), String> {
    let git = |words: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=20"]).env("GIT_TERMINAL_PROMPT", "0");
        works(git.arg("-C").arg(folder).args(words))
    };
    git(&["init", "--quiet"])?;
    git(&["fetch", "--quiet", "--depth", "1", source.home, source.commit])?;
    git(&["checkout", "--quiet", "FETCH_HEAD"])
}

fn works(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{command:?}: {error}"))?;
    output.status.success().then_some(()).ok_or_else(|| String::from_utf8_lossy(&output.stderr).trim().to_owned())
}
