//! `whittle install` and `whittle dist`: the command, its ready images, its sources and its book, in a prefix or in one
//! file.

mod archive;
mod debian;
mod layout;
mod sources;

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use layout::{Content, Entry};

pub use sources::sources;

use crate::compose::commands::build_all;
use crate::failure::{Doing, Failure};
use crate::house::House;

/// Below the prefix: the names of all that was installed, a line each, so that it can be removed.
const LIST: &str = "lib/whittle/files";

/// Puts everything below a prefix, over what an earlier version left there.
pub fn install(house: &House, prefix: &Path) -> Result<(), Failure> {
    let prefix = std::path::absolute(prefix).doing("find the prefix")?;
    build_all(house)?;
    let entries = layout::entries(house)?;
    let names: Vec<String> = entries.iter().map(|entry| entry.path.display().to_string()).collect();
    remove_files(&prefix, &listed(&prefix)?.into_iter().filter(|old| !names.contains(old)).collect::<Vec<_>>())?;
    entries.iter().try_for_each(|entry| put(&prefix, entry))?;
    let list = Entry::file(LIST, Content::Bytes((names.join("\n") + "\n").into_bytes()), 0o644);
    put(&prefix, &list)?;
    println!("whittle is installed in {0}: {0}/bin/whittle run -- /bin/busybox echo hello", prefix.display());
    Ok(())
}

/// Takes away what [`install`] has put below a prefix, and the folders that are empty then.
pub fn remove(prefix: &Path) -> Result<(), Failure> {
    let prefix = std::path::absolute(prefix).doing("find the prefix")?;
    let mut names = listed(&prefix)?;
    if names.is_empty() {
        let sentence = format!("there is no whittle in {}: {LIST} is not there", prefix.display());
        return Err(Failure::ours(sentence));
    }
    names.push(LIST.to_owned());
    remove_files(&prefix, &names)?;
    println!("whittle is no longer in {}", prefix.display());
    Ok(())
}

/// Writes the archive and the Debian package into a folder, and says what is there.
pub fn dist(house: &House, folder: &Path) -> Result<(), Failure> {
    build_all(house)?;
    fs::create_dir_all(folder).doing(format!("make {}", folder.display()))?;
    let entries = layout::entries(house)?;
    for (name, bytes) in [archive::archive(&entries)?, debian::package(&entries)?] {
        let path = folder.join(name);
        write(&path, &bytes, 0o644)?;
        println!("{}  {} bytes", path.display(), bytes.len());
    }
    Ok(())
}

/// The names of what an earlier version has installed.
fn listed(prefix: &Path) -> Result<Vec<String>, Failure> {
    let list = prefix.join(LIST);
    match fs::read_to_string(&list) {
        Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error).doing(format!("read {}", list.display())),
    }
}

fn remove_files(prefix: &Path, names: &[String]) -> Result<(), Failure> {
    for name in names {
        let path = prefix.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error).doing(format!("remove {}", path.display()));
            }
            _ => {}
        }
        // Whatever is not empty is somebody else's too.
        let above = path.ancestors().skip(1).take_while(|folder| *folder != prefix);
        let _emptied = above.take_while(|folder| fs::remove_dir(folder).is_ok()).count();
    }
    Ok(())
}

fn put(prefix: &Path, entry: &Entry) -> Result<(), Failure> {
    let path = prefix.join(&entry.path);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).doing(format!("make {}", folder.display()))?;
    }
    write(&path, &entry.content.bytes()?, entry.mode)
}

/// Puts a file into its place in one step: the old one may be running.
fn write(path: &Path, bytes: &[u8], mode: u32) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let doing = || format!("write {}", path.display());
    let new: PathBuf = folder.join(format!(".whittle-new-{}", std::process::id()));
    let mut file = fs::File::create(&new).doing(doing())?;
    let written = file
        .write_all(bytes)
        .and_then(|()| file.set_permissions(fs::Permissions::from_mode(mode)))
        .and_then(|()| fs::rename(&new, path));
    written.doing(doing()).inspect_err(|_| {
        // The sentence already says what failed.
        let _ = fs::remove_file(&new);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_installed_can_be_removed_without_a_trace() {
        let folder = tempfile::tempdir().unwrap();
        let prefix = folder.path();
        fs::create_dir_all(prefix.join("bin")).unwrap();
        fs::write(prefix.join("bin/other"), "").unwrap();
        let entries = [
            Entry::file("bin/whittle", Content::Bytes(b"1".into()), 0o755),
            Entry::file("lib/whittle/a/b", Content::Bytes(b"2".into()), 0o644),
        ];
        entries.iter().try_for_each(|entry| put(prefix, entry)).unwrap();
        let list = entries.iter().map(|entry| format!("{}\n", entry.path.display())).collect::<String>();
        put(prefix, &Entry::file(LIST, Content::Bytes(list.into_bytes()), 0o644)).unwrap();
        assert_eq!(fs::read_to_string(prefix.join("lib/whittle/a/b")).unwrap(), "2");
        assert_eq!(fs::metadata(prefix.join("bin/whittle")).unwrap().permissions().mode() & 0o777, 0o755);
        remove(prefix).unwrap();
        assert!(prefix.join("bin/other").is_file() && !prefix.join("lib").exists());
        assert!(remove(prefix).unwrap_err().sentence.starts_with("there is no whittle in "));
    }
}
