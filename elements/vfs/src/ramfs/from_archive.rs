//! The tree that a boot archive describes.
//!
//! Names in an archive come from outside: `.` and empty parts of a path are passed over, and an entry with a `..`, a
//! name that is too long, or a file where a directory must be, is left out. Nothing here reads contents.

use alloc::{borrow::Cow, sync::Arc, vec::Vec};
use core::any::Any;

use archive::{Archive, ArchiveError, Entry};

use super::{Contents, Directory, File, Ramfs, Surroundings, base::Base, directory::forget_name};
use crate::{Kind, NAME_LENGTH, Name, Node, Owner, Time};

/// Names of ours in the archive begin so; programs do not see them.
const OURS: &[u8] = b".whittle/";

/// How reading an archive went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unpacked {
    /// Entries that were left out because of their names.
    pub refused: usize,
    /// Why reading stopped before the end.
    pub error: Option<ArchiveError>,
}

impl Ramfs {
    /// The tree in the archive `bytes`. What could be read before an error is there.
    #[must_use]
    pub fn from_archive(
        device: u64,
        surroundings: &'static dyn Surroundings,
        bytes: &'static [u8],
    ) -> (Self, Unpacked) {
        let ramfs = Self::new(device, surroundings, 0o755);
        let mut builder = Builder { ramfs: &ramfs, last: None, hard_links: Vec::new() };
        let mut unpacked = Unpacked::default();
        for entry in Archive::new(bytes).entries() {
            match entry {
                Ok(entry) if entry.name.starts_with(OURS) => {}
                Ok(entry) => unpacked.refused += usize::from(builder.add(&entry).is_none()),
                Err(error) => unpacked.error = Some(error),
            }
        }
        (ramfs, unpacked)
    }
}

struct Builder<'a> {
    ramfs: &'a Ramfs,
    /// The directory that the last entry went into, and its path: the next one is often its neighbour.
    last: Option<(&'static [u8], Arc<Directory>)>,
    /// Files with several names, by their number in the archive.
    hard_links: Vec<(u32, Arc<dyn Node>)>,
}

impl Builder<'_> {
    /// Enters one entry; `None` if it is left out.
    fn add(&mut self, entry: &Entry<'static>) -> Option<()> {
        let path = entry.name.strip_suffix(b"/").unwrap_or(entry.name);
        let split = path.iter().rposition(|&byte| byte == b'/');
        let (above, name) = split.map_or((&[][..], path), |at| (&path[..at], &path[at + 1..]));
        let directory = match &self.last {
            Some((path, directory)) if *path == above => directory.clone(),
            _ => self.directory(above)?,
        };
        match name {
            b".." => return None,
            _ if name.len() > NAME_LENGTH => return None,
            // The root itself, or an entry that ends in `/.`: only its attributes count.
            b"" | b"." => restate(&directory, entry),
            _ => self.enter(&directory, Name::archived(name), entry)?,
        }
        self.last = Some((above, directory));
        Some(())
    }

    /// The directory at a path, made where it is missing.
    fn directory(&self, path: &'static [u8]) -> Option<Arc<Directory>> {
        let mut at = self.ramfs.root.clone();
        for name in path.split(|&byte| byte == b'/') {
            match name {
                b"" | b"." => continue,
                b".." => return None,
                _ if name.len() > NAME_LENGTH => return None,
                _ => at = at.provide(name, 0o755, None)?,
            }
        }
        Some(at)
    }

    fn enter(&mut self, directory: &Arc<Directory>, name: Name, entry: &Entry<'static>) -> Option<()> {
        let mut inside = directory.inside();
        if entry.mode & archive::KIND_MASK == archive::DIRECTORY
            && let Some(old) = inside.entries.get(&name).and_then(|old| Directory::of(&**old))
        {
            restate(old, entry);
            return Some(());
        }
        let node = self.node(entry)?;
        if let Some(old) = directory.adopt(&mut inside.entries, name, node) {
            forget_name(&*old);
            if Directory::of(&*old).is_some() {
                directory.base.drop_links(1);
            }
        }
        Some(())
    }

    fn node(&mut self, entry: &Entry<'static>) -> Option<Arc<dyn Node>> {
        let kind = entry.mode & archive::KIND_MASK;
        let has_others = kind == archive::REGULAR && entry.links > 1;
        if has_others && let Some((_, node)) = self.hard_links.iter().find(|(inode, _)| *inode == entry.inode) {
            add_name(&**node, entry);
            return Some(node.clone());
        }
        let contents = match kind {
            archive::REGULAR => Contents::File(entry.contents, entry.offset),
            archive::DIRECTORY => Contents::Directory,
            archive::LINK => Contents::Link(Cow::Borrowed(entry.contents)),
            archive::CHARACTER => Contents::Special(Kind::Character, entry.device),
            archive::BLOCK => Contents::Special(Kind::Block, entry.device),
            archive::PIPE => Contents::Special(Kind::Pipe, entry.device),
            _ => return None,
        };
        let links = if kind == archive::DIRECTORY { 2 } else { 1 };
        let base = Base::old(&self.ramfs.shared, entry.mode & 0o7777, owner(entry), links, time(entry));
        let node = contents.into_node(base);
        if has_others {
            self.hard_links.push((entry.inode, node.clone()));
        }
        Some(node)
    }
}

/// One more name of a file. Its contents stand with one of the names, most often the last.
fn add_name(node: &dyn Node, entry: &Entry<'static>) {
    let node: &dyn Any = node;
    if let Some(file) = node.downcast_ref::<File>()
        && file.base.add_link()
        && !entry.contents.is_empty()
    {
        file.fill(entry.contents, entry.offset);
    }
}

fn restate(directory: &Directory, entry: &Entry<'_>) {
    if entry.mode & archive::KIND_MASK == archive::DIRECTORY {
        directory.base.restate(entry.mode & 0o7777, owner(entry), time(entry));
    }
}

const fn owner(entry: &Entry<'_>) -> Owner {
    Owner { user: entry.user, group: entry.group }
}

const fn time(entry: &Entry<'_>) -> Time {
    entry.modified as i64 * 1_000_000_000
}
