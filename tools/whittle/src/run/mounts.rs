//! What the program sees of the host's files: `--root`, and `-v HOST:GUEST[:ro]`.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::arguments::Run;
use crate::failure::{Doing, Failure, plain};
use crate::pack::unpack::{self, Form};
use crate::words::{Mount, Root, Share};

/// Descriptors of shares in the machine, from this number on.
const FIRST: i32 = 16;

/// Whether what was named is a directory, an archive, or a disk, by looking at it.
pub fn recognised(root: Root) -> Result<Root, Failure> {
    let Root::Folder(path) = root else { return Ok(root) };
    if !fs::metadata(&path).doing(format!("use --root {}", path.display()))?.is_file() {
        return Ok(Root::Folder(path));
    }
    match unpack::form(&path)? {
        Form::Cpio | Form::Tar => Ok(Root::Archive(path)),
        Form::Other => Ok(Root::Image(path)),
        Form::Compressed(by) => {
            let name = path.display();
            Err(Failure::ours(format!("--root {name}: it is compressed; unpack it first, as with {by} {name}")))
        }
    }
}

/// All that the program is to see, the root first. `library` stands in the place of a file of it.
pub fn mounts(run: &Run, library: Option<Share>) -> Result<Vec<Mount>, Failure> {
    let root = run.root().folder().map(|folder| Share { host: folder.into(), guest: "/".into(), read_only: true });
    let mut mounts = Vec::new();
    for (number, share) in (FIRST..).zip(root.into_iter().chain(library).chain(run.shares.iter().cloned())) {
        let Share { host, guest, read_only } = share;
        let doing = || format!("share {}", host.display());
        let metadata = fs::metadata(&host).map_err(|error| missing(&host, &error))?;
        if !metadata.is_dir() && !metadata.is_file() {
            // To open a FIFO would wait for whoever writes to it.
            let sentence = format!("cannot share {}: it is neither a file nor a directory", host.display());
            return Err(Failure::ours(sentence));
        }
        if guest == "/" && !metadata.is_dir() {
            return Err(Failure::ours(format!("--root {}: it is no directory", host.display())));
        }
        File::open(&host).doing(doing())?;
        let (host, file) = if metadata.is_dir() { (host, None) } else { in_its_directory(&host).doing(doing())? };
        mounts.push(Mount { number, host, file, guest, read_only });
    }
    Ok(mounts)
}

/// A path that cannot be shared: one that does not exist is made by who wants it, since it may be a slip of the pen.
fn missing(host: &Path, error: &io::Error) -> Failure {
    let hint = if error.kind() == io::ErrorKind::NotFound {
        format!("; to begin with an empty directory, type: mkdir -p {}", host.display())
    } else {
        String::new()
    };
    Failure::ours(format!("cannot share {}: {}{hint}", host.display(), plain(error)))
}

/// A file's directory and its name there, all links resolved.
fn in_its_directory(file: &Path) -> io::Result<(PathBuf, Option<OsString>)> {
    let file = file.canonicalize()?;
    let name = file.file_name().ok_or(io::ErrorKind::NotFound)?.to_owned();
    // A comma would end it in the launch record.
    if name.as_bytes().contains(&b',') {
        return Err(io::Error::other("a file with a comma in its name cannot be shared alone; share its directory"));
    }
    Ok((file.parent().unwrap_or(Path::new("/")).to_owned(), Some(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_read_only_and_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let share = Share { host: folder.path().into(), guest: "/data".into(), read_only: false };
        let run = Run { root: Some(Root::Host), shares: vec![share], ..Run::default() };
        let records = |run: &Run| -> Vec<Vec<u8>> { mounts(run, None).unwrap().iter().map(Mount::record).collect() };
        assert_eq!(records(&run), [&b"ro,16,/"[..], b"rw,17,/data"]);
        fs::write(folder.path().join("file"), "").unwrap();
        let share = Share { host: folder.path().join("file"), guest: "/etc/x".into(), read_only: true };
        let run = Run { root: Some(Root::Nothing), shares: vec![share], ..Run::default() };
        assert_eq!(records(&run), [b"ro,16/file,/etc/x"]);
        let told = mounts(&run, None).unwrap()[0].sentence();
        assert_eq!(
            told,
            format!("/etc/x is {}, read-only", folder.path().canonicalize().unwrap().join("file").display())
        );
        let nowhere = Share { host: "/no/such/thing".into(), guest: "/x".into(), read_only: false };
        let run = Run { root: Some(Root::Nothing), shares: vec![nowhere], ..Run::default() };
        let failure = mounts(&run, None).unwrap_err();
        let hint = "to begin with an empty directory, type: mkdir -p /no/such/thing";
        assert_eq!(failure.sentence, format!("cannot share /no/such/thing: no such file or directory; {hint}"));
        let device = Share { host: "/dev/null".into(), guest: "/x".into(), read_only: false };
        let run = Run { root: Some(Root::Nothing), shares: vec![device], ..Run::default() };
        let failure = mounts(&run, None).unwrap_err();
        assert_eq!(failure.sentence, "cannot share /dev/null: it is neither a file nor a directory");
    }
}
