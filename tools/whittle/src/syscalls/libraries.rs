//! Where the dynamic loader finds a library (ld.so(8)).

use std::path::{Path, PathBuf};

/// Folders that the loader looks into without being told.
const TRUSTED: [&str; 6] =
    ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"];

/// The file of the library `name` that `object` needs, whose search path is `path` (DT_RUNPATH or DT_RPATH).
pub fn find(name: &str, object: &Path, path: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|file| file.is_file());
    }
    let origin = object.parent().unwrap_or(Path::new("/")).display().to_string();
    let own = path.replace("${ORIGIN}", &origin).replace("$ORIGIN", &origin);
    let environment = std::env::var("LD_LIBRARY_PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = [own, environment]
        .iter()
        .flat_map(|text| text.split(':'))
        .filter(|word| !word.is_empty())
        .map(PathBuf::from)
        .collect();
    configured(Path::new("/etc/ld.so.conf"), &mut folders);
    folders.extend(TRUSTED.map(PathBuf::from));
    folders.into_iter().map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The folders that `ld.so.conf` names, and the files that it includes.
fn configured(file: &Path, folders: &mut Vec<PathBuf>) {
    let Ok(text) = std::fs::read_to_string(file) else { return };
    for line in text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()) {
        match line.strip_prefix("include ") {
            Some(pattern) => included(Path::new(pattern.trim()), folders),
            None if !line.is_empty() => folders.push(line.into()),
            None => {}
        }
    }
}

/// Files of a folder, by the one pattern that is in use: `FOLDER/*.conf`.
fn included(pattern: &Path, folders: &mut Vec<PathBuf>) {
    let Some(entries) = pattern.parent().and_then(|folder| folder.read_dir().ok()) else { return };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension() == pattern.extension());
    files.sort();
    files.iter().for_each(|file| configured(file, folders));
}
