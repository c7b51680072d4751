//! Taking files of the host's into the tree: a program with the links that lead to it, and what `-v` names.

use std::fs::{self, Metadata};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use crate::failure::{Doing, Failure};
use crate::pack::tree::{Entry, Kind, MOST_LINKS, Tree, reversed};
use crate::words::Share;

/// Takes in the file at `path` (absolute), each directory and each symbolic link on the way to it, all where they are
/// on the host, so that the guest resolves the path as the host does. Returns the file's own place.
pub fn file_with_its_way(tree: &mut Tree, path: &Path) -> Result<PathBuf, Failure> {
    let mut at = PathBuf::from("/");
    let mut links = 0;
    let mut ahead = reversed(path);
    while let Some(name) = ahead.pop() {
        if name == ".." {
            at.pop();
            continue;
        }
        let next = at.join(&name);
        let metadata = fs::symlink_metadata(&next).doing(format!("read {}", next.display()))?;
        if metadata.is_symlink() {
            links += 1;
            if links > MOST_LINKS {
                return Err(Failure::ours(format!("too many symbolic links in {}", path.display())));
            }
            let target = fs::read_link(&next).doing(format!("read {}", next.display()))?;
            if target.is_absolute() {
                at = PathBuf::from("/");
            }
            ahead.extend(reversed(&target));
            tree.put(&next, Entry::like(&metadata, Kind::Link(target.into_os_string().into_vec())))?;
        } else {
            let kind = if metadata.is_dir() { Kind::Directory } else { Kind::File(next.clone(), metadata.len()) };
            // A directory's own attributes must not replace what -v has put there.
            if !(metadata.is_dir() && tree.get(&next).is_some()) {
                tree.put(&next, Entry::like(&metadata, kind))?;
            }
            at = next;
        }
    }
    Ok(at)
}

/// Takes in what `-v HOST:GUEST` names. `note` hears of what is left out.
pub fn share(tree: &mut Tree, share: &Share, note: &mut dyn FnMut(String)) -> Result<(), Failure> {
    let host = share.host.display();
    let metadata = fs::metadata(&share.host).doing(format!("share {host}"))?;
    copy(tree, &share.host, &metadata, Path::new(&share.guest), note)
}

fn copy(
    tree: &mut Tree,
    host: &Path,
    metadata: &Metadata,
    guest: &Path,
    note: &mut dyn FnMut(String),
) -> Result<(), Failure> {
    let reading = || format!("read {}", host.display());
    let kind = metadata.file_type();
    if kind.is_dir() {
        let place = tree.put(guest, Entry::like(metadata, Kind::Directory))?;
        for entry in fs::read_dir(host).doing(reading())? {
            let entry = entry.doing(reading())?;
            let metadata = entry.metadata().doing(format!("read {}", entry.path().display()))?;
            copy(tree, &entry.path(), &metadata, &place.join(entry.file_name()), note)?;
        }
    } else if kind.is_symlink() {
        let target = fs::read_link(host).doing(reading())?.into_os_string().into_vec();
        tree.put(guest, Entry::like(metadata, Kind::Link(target)))?;
    } else if kind.is_file() {
        tree.put(guest, Entry::like(metadata, Kind::File(host.to_owned(), metadata.len())))?;
    } else {
        note(format!("{} is a device, pipe or socket and is left out", host.display()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    #[test]
    fn a_program_comes_with_the_links_that_lead_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("usr/bin")).unwrap();
        fs::write(root.join("usr/bin/busybox"), "program").unwrap();
        symlink("usr/bin", root.join("bin")).unwrap();
        symlink("../../usr/bin/busybox", root.join("usr/bin/sh")).unwrap();
        let mut tree = Tree::default();
        let place = file_with_its_way(&mut tree, &root.join("bin/sh")).unwrap();
        assert_eq!(place, root.join("usr/bin/busybox"));
        assert_eq!(tree.get(&root.join("bin")).unwrap().kind, Kind::Link(b"usr/bin".to_vec()));
        assert_eq!(tree.get(&root.join("usr/bin/sh")).unwrap().kind, Kind::Link(b"../../usr/bin/busybox".to_vec()));
        assert_eq!(tree.get(&place).unwrap().kind, Kind::File(place.clone(), 7));
    }

    #[test]
    fn a_shared_folder_keeps_links_modes_and_times_and_leaves_devices_out() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir(root.join("sub")).unwrap();
        fs::write(root.join("sub/file"), "12345").unwrap();
        fs::set_permissions(root.join("sub/file"), fs::Permissions::from_mode(0o4751)).unwrap();
        symlink("nowhere", root.join("link")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
        let mut tree = Tree::default();
        let mut notes = Vec::new();
        let shared = Share { host: root.to_owned(), guest: "/data".into(), read_only: true };
        share(&mut tree, &shared, &mut |note| notes.push(note)).unwrap();
        let file = tree.get(Path::new("/data/sub/file")).unwrap();
        assert_eq!((file.mode, file.kind.clone()), (0o4751, Kind::File(root.join("sub/file"), 5)));
        assert_eq!(file.modified, fs::metadata(root.join("sub/file")).unwrap().mtime());
        assert_eq!(tree.get(Path::new("/data/link")).unwrap().kind, Kind::Link(b"nowhere".to_vec()));
        assert!(tree.get(Path::new("/data/socket")).is_none());
        assert_eq!(notes.len(), 1);
    }

    #[test]
    fn what_is_not_there_cannot_be_shared() {
        let shared = Share { host: "/no/such/thing".into(), guest: "/x".into(), read_only: true };
        let failure = share(&mut Tree::default(), &shared, &mut |_| ()).unwrap_err();
        assert_eq!(failure.sentence, "cannot share /no/such/thing: no such file or directory");
    }
}
