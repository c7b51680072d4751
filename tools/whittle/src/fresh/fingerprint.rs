//! Has anything changed? A number over the names, sizes and times of source files.
//!
//! Times alone would miss a file that was removed or replaced by an older one. A few hundred `stat` calls take well
//! under a millisecond.

use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir, openat, statat};

/// The state of a file or of all files below a folder; what does not exist has a state too.
#[must_use]
pub fn fingerprint(root: &Path, part: &str) -> u64 {
    let path = root.join(part);
    match openat(CWD, &path, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()) {
        Ok(folder) => contents(&folder),
        Err(_) => file(CWD, path.as_os_str()),
    }
}

fn file(folder: impl AsFd, name: &OsStr) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.as_bytes().hash(&mut hasher);
    if let Ok(status) = statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        (status.st_mtime, status.st_mtime_nsec, status.st_size, status.st_mode).hash(&mut hasher);
    }
    hasher.finish()
}

/// Summed over whatever order the entries come in.
fn contents(folder: &OwnedFd) -> u64 {
    let mut buffer = [const { MaybeUninit::uninit() }; 4096];
    let mut entries = RawDir::new(folder, &mut buffer);
    let mut sum = 0_u64;
    while let Some(Ok(entry)) = entries.next() {
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        // Editors' files begin with a dot, and so do `.` and `..`; `target` is ours.
        if name.as_bytes().starts_with(b".") || name == "target" {
            continue;
        }
        let number = match entry.file_type() {
            FileType::Directory => subfolder(folder, name),
            _ => file(folder, name),
        };
        sum = sum.wrapping_add(number);
    }
    sum
}

fn subfolder(parent: &OwnedFd, name: &OsStr) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.as_bytes().hash(&mut hasher);
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    if let Ok(folder) = openat(parent, name, flags, Mode::empty()) {
        hasher.write_u64(contents(&folder));
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn every_kind_of_change_shows() {
        let root = tempfile::tempdir().unwrap();
        let now = || (fingerprint(root.path(), "src"), fingerprint(root.path(), "Cargo.toml"));
        let nothing = now();
        fs::create_dir_all(root.path().join("src/deep")).unwrap();
        fs::write(root.path().join("src/deep/a.rs"), "1").unwrap();
        let one = now();
        assert_ne!(one, nothing);
        assert_eq!(one, now());
        fs::write(root.path().join("src/.a.rs.swp"), "1").unwrap();
        fs::write(root.path().join("other"), "1").unwrap();
        assert_eq!(one, now());
        fs::write(root.path().join("src/deep/a.rs"), "12").unwrap();
        let edited = now();
        assert_ne!(one, edited);
        fs::rename(root.path().join("src/deep/a.rs"), root.path().join("src/deep/b.rs")).unwrap();
        let renamed = now();
        assert_ne!(edited, renamed);
        fs::remove_file(root.path().join("src/deep/b.rs")).unwrap();
        assert_ne!(renamed, now());
    }
}
