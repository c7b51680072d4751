//! A node of a table.

use alloc::{
    borrow::Cow,
    sync::{Arc, Weak},
    vec::Vec,
};

use sync::SleepMutex;

use super::{Item, Listing, Numbered, System, Target, Trail, Wanted};
use crate::{Cursor, FileError, FileSystem, Kind, Listed, Metadata, Node, Place, Removal, Sink, Source};

/// Bytes of a write that are told to who changes something by it.
const FIRST: usize = 64;

/// A node, made by a look-up.
pub(super) struct Pseudo {
    system: &'static System,
    item: Item,
    inode: u64,
    /// The numbers on the way here.
    of: Trail,
    place: Option<Place>,
    myself: Weak<Self>,
    /// The text as it was when it was last read from its beginning: a program that reads it in pieces reads one text.
    /// To make it, other file systems may have to be asked.
    text: SleepMutex<Option<Vec<u8>>>,
}

impl Pseudo {
    #[inline(never)]
    pub(super) fn made(
        system: &'static System,
        item: Item,
        inode: u64,
        of: Trail,
        place: Option<Place>,
    ) -> Arc<dyn Node> {
        let text = SleepMutex::new(None);
        Arc::new_cyclic(|myself| Self { system, item, inode, of, place, myself: myself.clone(), text })
    }

    fn listing(&self) -> Result<&'static Listing, FileError> {
        match self.item {
            Item::Directory(listing) | Item::OwnersDirectory(listing) => Ok(listing),
            Item::Chosen(choose) => Ok(choose()),
            _ => Err(FileError::NotDirectory),
        }
    }

    /// A number for the entry `name`: the same each time, and most likely no other's (FNV-1a).
    fn inode_of(&self, name: &[u8]) -> u64 {
        name.iter().fold(self.inode ^ 0xcbf2_9ce4_8422_2325, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }

    fn target(&self, wanted: Wanted) -> Result<Target, FileError> {
        match self.item {
            Item::Link(target, which) => target(self.of, which, wanted),
            _ => Err(FileError::Invalid),
        }
    }

    fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self.item {
            Item::Fixed(text) => out.extend_from_slice(text.as_bytes()),
            Item::Text(append, which) => append(which, &mut out),
            Item::Of(append, which) | Item::OwnersText(append, which) | Item::Change(append, _, which) => {
                append(self.of, which, &mut out);
            }
            _ => {}
        }
        out
    }
}

const fn kind(item: Item) -> Kind {
    match item {
        Item::Directory(_) | Item::OwnersDirectory(_) | Item::Chosen(_) | Item::Other(_) => Kind::Directory,
        Item::Fixed(_) | Item::Text(..) | Item::Of(..) | Item::OwnersText(..) | Item::Change(..) | Item::Nothing => {
            Kind::Regular
        }
        Item::Link(..) => Kind::Link,
    }
}

impl Node for Pseudo {
    fn kind(&self) -> Kind {
        kind(self.item)
    }

    fn metadata(&self) -> Metadata {
        let mut metadata = Metadata::new(self.kind(), 0o444);
        if let Ok(listing) = self.listing() {
            let inner = listing.entries.iter().filter(|entry| kind(entry.item) == Kind::Directory).count();
            metadata.mode = 0o555;
            metadata.links = 2 + inner as u32;
        }
        match self.item {
            Item::Link(..) => metadata.mode = 0o777,
            Item::Change(..) => metadata.mode = 0o644,
            Item::OwnersText(..) => metadata.mode = 0o400,
            Item::OwnersDirectory(_) => metadata.mode = 0o500,
            _ => {}
        }
        metadata.device = self.system.device;
        metadata.inode = self.inode;
        metadata.owner = (self.system.owner)(self.of);
        metadata.set_times((self.system.now)());
        metadata
    }

    fn file_system(&self) -> FileSystem {
        FileSystem { magic: self.system.magic, block_size: 4096, ..FileSystem::default() }
    }

    fn system(&self) -> usize {
        core::ptr::from_ref(self.system).addr()
    }

    fn open(&self, _read: bool, _write: bool) -> Result<Option<Arc<dyn Node>>, FileError> {
        // Once more, with a text of its own.
        let again = || Self::made(self.system, self.item, self.inode, self.of, None);
        Ok(if self.kind() == Kind::Regular { Some(again()) } else { None })
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        match self.kind() {
            Kind::Regular => {}
            Kind::Directory => return Err(FileError::IsDirectory),
            _ => return Err(FileError::Invalid),
        }
        if matches!(self.item, Item::Nothing) {
            return Err(FileError::Invalid);
        }
        let mut text = self.text.lock();
        if offset == 0 {
            *text = None;
        }
        let text = text.get_or_insert_with(|| self.write());
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        Ok(text.get(start..).map_or(0, |rest| sink.put(rest)))
    }

    fn write_at(&self, _offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        match self.item {
            Item::Change(_, change, _) => {
                let mut first = [0; FIRST];
                let count = source.take(&mut first);
                change(self.of, &first[..count])?;
                Ok(count + source.skip())
            }
            Item::Nothing => Err(FileError::Invalid),
            _ => Err(FileError::Failed),
        }
    }

    /// Files here have no length to cut, but `>` in a shell asks for it.
    fn set_length(&self, _length: u64) -> Result<(), FileError> {
        Ok(())
    }

    fn read_link(&self) -> Result<Cow<'static, [u8]>, FileError> {
        match self.target(Wanted::Path)? {
            Target::Path(path) => Ok(Cow::Owned(path)),
            Target::Node(_) => Err(FileError::NotFound),
        }
    }

    fn jump(&self) -> Option<Arc<dyn Node>> {
        if let Ok(Target::Node(node)) = self.target(Wanted::Node) { Some(node) } else { None }
    }

    fn lookup(&self, name: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        let listing = self.listing()?;
        let known = listing.entries.iter().find(|entry| entry.name.as_bytes() == name);
        let found = match known {
            Some(entry) => Some((entry.item, self.of)),
            None => listing.numbered.and_then(|numbered| {
                let number = numbered.number(name)?;
                Some(((numbered.find)(self.of, number)?, self.of.with(number)))
            }),
        };
        let (item, of) = found.ok_or(FileError::NotFound)?;
        // Only a directory is ever asked where it stands.
        let parent = if kind(item) == Kind::Directory { self.myself.upgrade() } else { None };
        let place = parent.map(|parent| Place { parent, name: Cow::Owned(crate::copied(name)), removed: false });
        Ok(match item {
            Item::Other(system) => Self::made(system, Item::Directory(&system.root), super::ROOT, Trail::START, place),
            item => Self::made(self.system, item, self.inode_of(name), of, place),
        })
    }

    fn list(&self, cursor: &mut Cursor, visit: &mut dyn FnMut(Listed<'_>) -> bool) -> Result<(), FileError> {
        let listing = self.listing()?;
        // The cookie counts the entries that are always there; behind them it is the number to go on from.
        let always = listing.entries.len() as u64;
        for entry in listing.entries.iter().skip(cursor.cookie.min(always) as usize) {
            let (name, kind) = (entry.name.as_bytes(), kind(entry.item));
            if !visit(Listed { name, inode: self.inode_of(name), kind }) {
                return Ok(());
            }
            cursor.cookie += 1;
        }
        let Some(numbered) = listing.numbered else { return Ok(()) };
        let Numbered { find, next, .. } = numbered;
        while let Some(number) = u32::try_from(cursor.cookie - always).ok().and_then(|from| next(self.of, from)) {
            let (name, item) = (numbered.name(number), find(self.of, number));
            let listed = |item| Listed { name: &name, inode: self.inode_of(&name), kind: kind(item) };
            if item.is_some_and(|item| !visit(listed(item))) {
                break;
            }
            cursor.cookie = always + u64::from(number) + 1;
        }
        Ok(())
    }

    fn place(&self) -> Option<Place> {
        self.place.clone()
    }

    fn remove(&self, name: &[u8], _removal: Removal) -> Result<(), FileError> {
        self.lookup(name)?;
        Err(FileError::NotPermitted)
    }
}
