//! What the program sees of the host's files: `--root`, and `-v HOST:GUEST[:ro]`.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use rustix::fs::{Mode, OFlags, open};

use crate::arguments::Run;
use crate::failure::{Doing, Failure, plain};
use crate::pack::unpack::{self, Form};
use crate::words::Share;

/// What lies below the program's own files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Root {
    /// The host's files.
    #[default]
    Host,
    /// Nothing: the program is alone with what `-v` names.
    Nothing,
    /// The files of this directory.
    Folder(PathBuf),
    /// The files of this archive.
    Archive(PathBuf),
    /// The file system on this disk.
    Image(PathBuf),
}

impl FromStr for Root {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "" => Err("host, none, a directory, an archive or a disk's image is expected; ./host is one of that name"),
            "host" => Ok(Self::Host),
            "none" => Ok(Self::Nothing),
            folder => Ok(Self::Folder(folder.into())),
        }
    }
}

impl Root {
    /// Whether what was named is a directory, an archive, or a disk, by looking at it.
    pub fn recognised(self) -> Result<Self, Failure> {
        let Self::Folder(path) = self else { return Ok(self) };
        if !fs::metadata(&path).doing(format!("use --root {}", path.display()))?.is_file() {
            return Ok(Self::Folder(path));
        }
        match unpack::form(&path)? {
            Form::Cpio | Form::Tar => Ok(Self::Archive(path)),
            Form::Other => Ok(Self::Image(path)),
            Form::Compressed(by) => {
                let name = path.display();
                Err(Failure::ours(format!("--root {name}: it is compressed; unpack it first, as with {by} {name}")))
            }
        }
    }

    /// The directory on the host.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Host => Some(Path::new("/")),
            Self::Nothing | Self::Archive(_) | Self::Image(_) => None,
            Self::Folder(folder) => Some(folder),
        }
    }
}

/// Descriptors of shares in the machine, from this number on.
const FIRST: i32 = 16;

/// A directory or file of the host's that the program sees while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// Its number: what both sides call it, and its descriptor in a kernel process.
    pub number: i32,
    /// The directory on the host.
    pub host: PathBuf,
    /// The one file in it that is meant, if it is not the directory.
    pub file: Option<OsString>,
    /// Where it stands in the guest.
    pub guest: String,
    /// Nothing is written to it.
    pub read_only: bool,
}

impl Mount {
    /// What the kernel is told: see `launch::Key::Mount`.
    pub fn record(&self) -> Vec<u8> {
        let rights = if self.read_only { "ro" } else { "rw" };
        let mut record = format!("{rights},{}", self.number).into_bytes();
        if let Some(file) = &self.file {
            record.push(b'/');
            record.extend(file.as_bytes());
        }
        record.push(b',');
        record.extend(self.guest.as_bytes());
        record
    }

    /// What people are told.
    pub fn sentence(&self) -> String {
        let host = self.file.as_ref().map_or_else(|| self.host.clone(), |file| self.host.join(file));
        let host = host.display();
        match (self.guest.as_str(), self.read_only) {
            ("/", _) => format!("the program sees the files below {host}; what it changes there stays in memory"),
            (guest, true) => format!("{guest} is {host}, read-only"),
            (guest, false) => format!("{guest} is {host}, where the program may write"),
        }
    }

    /// Opens it for its name, so that the machine sees that very file.
    pub fn open(&self) -> io::Result<OwnedFd> {
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        Ok(open(&self.host, flags, Mode::empty())?)
    }
}

/// All that the program is to see, the root first.
pub fn mounts(run: &Run) -> Result<Vec<Mount>, Failure> {
    let root = run.root().folder().map(|folder| Share { host: folder.into(), guest: "/".into(), read_only: true });
    let mut mounts = Vec::new();
    for (number, share) in (FIRST..).zip(root.into_iter().chain(run.shares.iter().cloned())) {
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
    fn roots_are_words_or_directories() {
        assert_eq!("host".parse(), Ok(Root::Host));
        assert_eq!("none".parse(), Ok(Root::Nothing));
        assert_eq!("./host".parse(), Ok(Root::Folder("./host".into())));
        assert!("".parse::<Root>().is_err());
    }

    #[test]
    fn the_root_is_read_only_and_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let share = Share { host: folder.path().into(), guest: "/data".into(), read_only: false };
        let run = Run { root: Some(Root::Host), shares: vec![share], ..Run::default() };
        let records = |run: &Run| -> Vec<Vec<u8>> { mounts(run).unwrap().iter().map(Mount::record).collect() };
        assert_eq!(records(&run), [&b"ro,16,/"[..], b"rw,17,/data"]);
        fs::write(folder.path().join("file"), "").unwrap();
        let share = Share { host: folder.path().join("file"), guest: "/etc/x".into(), read_only: true };
        let run = Run { root: Some(Root::Nothing), shares: vec![share], ..Run::default() };
        assert_eq!(records(&run), [b"ro,16/file,/etc/x"]);
        let told = mounts(&run).unwrap()[0].sentence();
        assert_eq!(
            told,
            format!("/etc/x is {}, read-only", folder.path().canonicalize().unwrap().join("file").display())
        );
        let nowhere = Share { host: "/no/such/thing".into(), guest: "/x".into(), read_only: false };
        let run = Run { root: Some(Root::Nothing), shares: vec![nowhere], ..Run::default() };
        let failure = mounts(&run).unwrap_err();
        let hint = "to begin with an empty directory, type: mkdir -p /no/such/thing";
        assert_eq!(failure.sentence, format!("cannot share /no/such/thing: no such file or directory; {hint}"));
        let device = Share { host: "/dev/null".into(), guest: "/x".into(), read_only: false };
        let run = Run { root: Some(Root::Nothing), shares: vec![device], ..Run::default() };
        let failure = mounts(&run).unwrap_err();
        assert_eq!(failure.sentence, "cannot share /dev/null: it is neither a file nor a directory");
    }
}
