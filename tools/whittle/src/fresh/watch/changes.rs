//! Has anything changed since a moment? The host's kernel tells (inotify(7)), of files, and of all that leads to them.
//!
//! Every folder on the way from `/` to a file is watched for the next name on that way, so that a renamed ancestor, a
//! symbolic link that points elsewhere and a file that comes to be are seen too. Each folder is watched before its
//! entry is looked at: what changes meanwhile is told of. The files are watched themselves, for writes by another name
//! of theirs (link(2)).

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::inotify::{self, CreateFlags, Event, ReadFlags, Reader, WatchFlags};
use rustix::io::Errno;

/// File systems of which Linux tells every change, by the numbers of statfs(2): ext2 to ext4, XFS, Btrfs, F2FS, tmpfs
/// and overlayfs. Not those with files that others change (NFS, 9p, virtiofs, FUSE), and not ZFS, which rolls back in
/// silence.
const LOCAL: [u64; 6] = [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x0102_1994, 0x794c_7630];

/// What may happen to a folder and to the names in it.
const OF_FOLDER: WatchFlags = WatchFlags::CREATE
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MOVE)
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::ONLYDIR)
    .union(WatchFlags::DONT_FOLLOW);

/// What may happen to a file.
const OF_FILE: WatchFlags = WatchFlags::MODIFY
    .union(WatchFlags::CLOSE_WRITE)
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::DONT_FOLLOW);

/// What changes a folder's own time.
const OF_ENTRIES: ReadFlags =
    ReadFlags::CREATE.union(ReadFlags::DELETE).union(ReadFlags::MOVED_FROM).union(ReadFlags::MOVED_TO);

/// What leaves the kernel with nothing more to tell.
const OF_THE_END: ReadFlags = ReadFlags::QUEUE_OVERFLOW.union(ReadFlags::UNMOUNT).union(ReadFlags::IGNORED);

/// As many symbolic links as Linux follows on one way (path_resolution(7)).
const LINKS: usize = 40;

/// Whether the host's kernel tells of every change of what is there.
#[must_use]
pub fn is_told_of(path: &Path) -> bool {
    rustix::fs::statfs(path).is_ok_and(|status| LOCAL.contains(&(status.f_type as u64)))
}

/// Files and folders of which changes are told.
pub struct Changes {
    queue: OwnedFd,
    /// The table of mounts, which poll(2) tells changes of (proc_pid_mountinfo(5)).
    mounts: File,
    /// Watches of folders by their paths, which have no symbolic link in them.
    watches: HashMap<PathBuf, i32>,
    folders: HashMap<i32, Folder>,
}

/// What counts in a folder.
#[derive(Default)]
struct Folder {
    names: HashSet<OsString>,
    /// Its own time counts: every name that comes or goes.
    is_listed: bool,
}

impl Changes {
    /// Tells of nothing yet but mounts.
    pub fn new() -> io::Result<Self> {
        let mounts = File::open("/proc/self/mountinfo")?;
        let queue = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        Ok(Self { queue, mounts, watches: HashMap::new(), folders: HashMap::new() })
    }

    /// The queue is readable when something may have changed, the table of mounts exceptional (POLLPRI) when it has.
    /// Linux says the latter once to each who asks: whoever polls these must take it as a change.
    pub fn files(&self) -> [BorrowedFd<'_>; 2] {
        [self.queue.as_fd(), self.mounts.as_fd()]
    }

    /// Tells from now on of all that may change what stat(2) says of this path. An error where that cannot be.
    pub fn tell_of(&mut self, path: &Path) -> io::Result<()> {
        let (mut at, mut links) = (PathBuf::from("/"), 0);
        let mut rest: Vec<OsString> = names(path).rev().collect();
        while let Some(name) = rest.pop() {
            if name == ".." {
                at.pop();
                continue;
            }
            match self.tell_of_name(&at, &name) {
                Ok(()) => {}
                // A file stands where a folder was: its name in its folder is told of.
                Err(Errno::NOTDIR) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
            at.push(name);
            if self.watches.contains_key(&at) {
                continue;
            }
            match fs::symlink_metadata(&at) {
                Ok(status) if status.is_symlink() => {
                    links += 1;
                    let target = fs::read_link(&at)?;
                    at.pop();
                    if target.is_absolute() {
                        at = "/".into();
                    }
                    rest.extend(names(&target).rev());
                }
                Ok(_) => {}
                // When it comes to be, its name is told of.
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                Err(error) => return Err(error),
            }
            if links > LINKS {
                return Err(Errno::LOOP.into());
            }
        }
        self.tell_of_end(&at)
    }

    /// The path leads here: a folder whose own time counts, or a file.
    fn tell_of_end(&mut self, path: &Path) -> io::Result<()> {
        let status = fs::symlink_metadata(path)?;
        if status.is_dir() {
            self.folder(path)?.is_listed = true;
            return Ok(());
        }
        // Nothing is told of what others say through a device or a pipe.
        if !status.is_file() || !is_told_of(path) {
            return Err(Errno::OPNOTSUPP.into());
        }
        inotify::add_watch(&self.queue, path, OF_FILE)?;
        Ok(())
    }

    fn tell_of_name(&mut self, folder: &Path, name: &OsStr) -> Result<(), Errno> {
        self.folder(folder)?.names.insert(name.to_owned());
        Ok(())
    }

    fn folder(&mut self, path: &Path) -> Result<&mut Folder, Errno> {
        let watch = match self.watches.get(path) {
            Some(&watch) => watch,
            None => {
                let watch = inotify::add_watch(&self.queue, path, OF_FOLDER)?;
                if !is_told_of(path) {
                    return Err(Errno::OPNOTSUPP);
                }
                self.watches.insert(path.to_owned(), watch);
                watch
            }
        };
        Ok(self.folders.entry(watch).or_default())
    }

    /// Whether nothing of what was to be told of has changed up to now. Not to be asked again after a `false`.
    pub fn is_quiet(&self) -> bool {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut events = Reader::new(&self.queue, &mut buffer);
        loop {
            match events.next() {
                Ok(event) if self.counts(&event) => return false,
                Ok(_) | Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(_) => return false,
            }
        }
        let mut mounts = [PollFd::new(&self.mounts, PollFlags::PRI)];
        poll(&mut mounts, Some(&Timespec::default())) == Ok(0)
    }

    fn counts(&self, event: &Event<'_>) -> bool {
        let what = event.events();
        // An event without a name is of the watched thing itself; who is no folder is a file.
        let (Some(folder), Some(name)) = (self.folders.get(&event.wd()), event.file_name()) else { return true };
        let is_named = folder.names.contains(OsStr::from_bytes(name.to_bytes()));
        is_named || what.intersects(OF_THE_END) || folder.is_listed && what.intersects(OF_ENTRIES)
    }
}

/// The names on a path, one after the other.
fn names(path: &Path) -> impl DoubleEndedIterator<Item = OsString> {
    let is_name = |part: &Component<'_>| matches!(part, Component::Normal(_) | Component::ParentDir);
    path.components().filter(is_name).map(|part| part.as_os_str().to_owned())
}
