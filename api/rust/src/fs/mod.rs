//! Files and directories, as `std::fs` has them, on the contract `filesystem`.
//!
//! [`File::open`] gives the kernel's file object: there is no descriptor and no table, and a file in memory is called
//! without dispatch. Times of a file in memory that has been written are set when somebody asks for them or it is
//! closed.

mod directory;
mod error;
mod file;
mod metadata;
mod object;
mod options;
mod paths;
mod tree;
pub(crate) mod unix;

use contracts::vfs::{Change, FileError, Follow, Last, MakeKind, RenameMode};
pub use directory::{DirBuilder, DirEntry, ReadDir};
pub use file::File;
pub use metadata::{FileTimes, FileType, Metadata, Permissions};
pub use options::OpenOptions;

use crate::{
    ffi::OsString,
    io::{ErrorKind, Read, Result, Write},
    path::{Path, PathBuf},
    string::String,
    vec,
    vec::Vec,
};

/// Bytes that [`copy`] moves at a time.
const PIECE: usize = 64 << 10;

/// A file's contents.
///
/// # Errors
/// What keeps it from being opened or read.
pub fn read<P: AsRef<Path>>(path: P) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A file's contents as text.
///
/// # Errors
/// What keeps it from being opened or read; [`ErrorKind::InvalidData`] if it is not UTF-8.
pub fn read_to_string<P: AsRef<Path>>(path: P) -> Result<String> {
    let mut text = String::new();
    File::open(path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// Makes `contents` a file's contents.
///
/// # Errors
/// What keeps it from being made or written.
pub fn write<P: AsRef<Path>, C: AsRef<[u8]>>(path: P, contents: C) -> Result<()> {
    File::create(path)?.write_all(contents.as_ref())
}

/// Makes `to` a file with the contents and permissions of `from`; the bytes copied.
///
/// # Errors
/// What keeps one from being read or the other from being written; [`ErrorKind::InvalidInput`] for what is no file.
pub fn copy<P: AsRef<Path>, Q: AsRef<Path>>(from: P, to: Q) -> Result<u64> {
    let mut source = File::open(from)?;
    let known = source.metadata()?;
    if !known.is_file() {
        return Err(ErrorKind::InvalidInput.into());
    }
    let mut target = File::create(to)?;
    target.set_permissions(known.permissions())?;
    let mut buffer = vec![0; PIECE];
    let mut copied = 0;
    loop {
        let count = source.read(&mut buffer)?;
        if count == 0 {
            return Ok(copied);
        }
        target.write_all(&buffer[..count])?;
        copied += count as u64;
    }
}

/// Gives `from` the name `to`; what has that name goes.
///
/// # Errors
/// What keeps it from being renamed.
pub fn rename<P: AsRef<Path>, Q: AsRef<Path>>(from: P, to: Q) -> Result<()> {
    tree::between(from.as_ref(), to.as_ref(), |view, from, to| view.rename(from, view, to, RenameMode::Replace))
}

/// Gives the file `original` one more name.
///
/// # Errors
/// What keeps it from getting it.
pub fn hard_link<P: AsRef<Path>, Q: AsRef<Path>>(original: P, link: Q) -> Result<()> {
    tree::between(original.as_ref(), link.as_ref(), |view, original, link| {
        view.link(&view.lookup(original, Follow::Never)?, link)
    })
}

/// Makes a symbolic link.
///
/// # Errors
/// What keeps it from being made.
pub(crate) fn make_link(original: &Path, link: &Path) -> Result<()> {
    tree::between(link, original, |view, link, original| view.make(link, MakeKind::Link(original), 0o777).map(drop))
}

/// Where a symbolic link leads.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] for what is none.
pub fn read_link<P: AsRef<Path>>(path: P) -> Result<PathBuf> {
    let target = tree::at(path.as_ref(), |view, path| view.lookup(path, Follow::No)?.read_link())?;
    Ok(OsString::from_bytes(target.into_owned()).into())
}

/// The absolute path without symbolic links, `.` and `..`.
///
/// # Errors
/// There is nothing at the path.
pub fn canonicalize<P: AsRef<Path>>(path: P) -> Result<PathBuf> {
    let bytes = tree::at(path.as_ref(), |view, path| {
        let found = view.walk(path, Follow::Yes)?;
        let node = found.node.ok_or(FileError::NotFound)?;
        let above = |directory| view.mounts.path_of(directory, view.root).ok_or(FileError::NotFound);
        let Last::Name(name) = found.last else { return above(&node) };
        let mut above = above(&found.parent)?;
        if above != b"/" {
            above.push(b'/');
        }
        above.extend_from_slice(&name);
        Ok(above)
    })?;
    Ok(OsString::from_bytes(bytes).into())
}

/// What is known about a file.
///
/// # Errors
/// There is nothing at the path.
pub fn metadata<P: AsRef<Path>>(path: P) -> Result<Metadata> {
    tree::at(path.as_ref(), |view, path| Ok(Metadata(view.lookup(path, Follow::Yes)?.metadata())))
}

/// What is known about a file; a symbolic link is not followed.
///
/// # Errors
/// There is nothing at the path.
pub fn symlink_metadata<P: AsRef<Path>>(path: P) -> Result<Metadata> {
    tree::at(path.as_ref(), |view, path| Ok(Metadata(view.lookup(path, Follow::No)?.metadata())))
}

/// Sets a file's permissions.
///
/// # Errors
/// There is nothing at the path, or the file system's.
pub fn set_permissions<P: AsRef<Path>>(path: P, permissions: Permissions) -> Result<()> {
    let change = Change { mode: Some(permissions.0 & 0o7777), ..Change::default() };
    tree::at(path.as_ref(), |view, path| view.lookup(path, Follow::Yes)?.change(&change))
}

/// Whether there is anything at the path.
///
/// # Errors
/// What keeps that from being known.
pub fn exists<P: AsRef<Path>>(path: P) -> Result<bool> {
    match metadata(path) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes a file, or another name that is no directory's.
///
/// # Errors
/// What keeps it from being removed.
pub fn remove_file<P: AsRef<Path>>(path: P) -> Result<()> {
    tree::at(path.as_ref(), |view, path| view.remove_file(path))
}

/// Removes an empty directory.
///
/// # Errors
/// What keeps it from being removed.
pub fn remove_dir<P: AsRef<Path>>(path: P) -> Result<()> {
    tree::at(path.as_ref(), |view, path| view.remove_directory(path))
}

/// Removes a directory and all that is in it. Symbolic links are removed and not followed.
///
/// # Errors
/// What keeps something in it from being removed; part of it may be gone then.
pub fn remove_dir_all<P: AsRef<Path>>(path: P) -> Result<()> {
    let path = path.as_ref();
    let kind = symlink_metadata(path)?.file_type();
    if !kind.is_dir() {
        return if kind.is_symlink() { remove_file(path) } else { Err(ErrorKind::NotADirectory.into()) };
    }
    for entry in read_dir(path)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() { remove_dir_all(entry.path())? } else { remove_file(entry.path())? }
    }
    remove_dir(path)
}

/// Makes a directory.
///
/// # Errors
/// What keeps it from being made.
pub fn create_dir<P: AsRef<Path>>(path: P) -> Result<()> {
    DirBuilder::new().create(path)
}

/// Makes a directory and those above it, as far as they are missing.
///
/// # Errors
/// What keeps one of them from being made.
pub fn create_dir_all<P: AsRef<Path>>(path: P) -> Result<()> {
    DirBuilder::new().recursive(true).create(path)
}

/// A directory's entries.
///
/// # Errors
/// What keeps it from being listed.
pub fn read_dir<P: AsRef<Path>>(path: P) -> Result<ReadDir> {
    ReadDir::new(path.as_ref())
}
