//! A node of a table.

use alloc::{
    borrow::Cow,
    sync::{Arc, Weak},
    vec::Vec,
};

use sync::Mutex;

use super::{Item, Listing, System, Target, number};
use crate::{Cursor, FileError, FileSystem, Kind, Listed, Metadata, Node, Place, Removal, Sink, Source};

/// A node, made by a look-up.
pub(super) struct Pseudo {
    system: &'static System,
    item: Item,
    inode: u64,
    place: Option<Place>,
    myself: Weak<Self>,
    /// The text as it was when it was last read from its beginning: a program that reads it in pieces reads one text.
    text: Mutex<Option<Vec<u8>>>,
}

impl Pseudo {
    #[inline(never)]
    pub(super) fn made(system: &'static System, item: Item, inode: u64, place: Option<Place>) -> Arc<dyn Node> {
        Arc::new_cyclic(|myself| Self { system, item, inode, place, myself: myself.clone(), text: Mutex::new(None) })
    }

    fn listing(&self) -> Result<&'static Listing, FileError> {
        match self.item {
            Item::Directory(listing) => Ok(listing),
            _ => Err(FileError::NotDirectory),
        }
    }

    /// A number for the entry `name`: the same each time, and most likely no other's (FNV-1a).
    fn inode_of(&self, name: &[u8]) -> u64 {
        name.iter().fold(self.inode ^ 0xcbf2_9ce4_8422_2325, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }

    fn target(&self) -> Option<Target> {
        match self.item {
            Item::Link(target, which) => target(which),
            _ => None,
        }
    }

    fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self.item {
            Item::Fixed(text) => out.extend_from_slice(text.as_bytes()),
            Item::Text(append, which) => append(which, &mut out),
            _ => {}
        }
        out
    }
}

const fn kind(item: Item) -> Kind {
    match item {
        Item::Directory(_) => Kind::Directory,
        Item::Fixed(_) | Item::Text(..) => Kind::Regular,
        Item::Link(..) => Kind::Link,
    }
}

impl Node for Pseudo {
    fn kind(&self) -> Kind {
        kind(self.item)
    }

    fn metadata(&self) -> Metadata {
        let mut metadata = Metadata::new(self.kind(), 0o444);
        match self.item {
            Item::Directory(listing) => {
                let inner = listing.entries.iter().filter(|entry| kind(entry.item) == Kind::Directory).count();
                metadata.mode = 0o555;
                metadata.links = 2 + inner as u32;
            }
            Item::Link(..) => metadata.mode = 0o777,
            _ => {}
        }
        metadata.device = self.system.device;
        metadata.inode = self.inode;
        metadata.set_times((self.system.now)());
        metadata
    }

    fn file_system(&self) -> FileSystem {
        FileSystem { magic: self.system.magic, block_size: 4096, blocks: 0, free: 0 }
    }

    fn system(&self) -> usize {
        core::ptr::from_ref(self.system).addr()
    }

    fn open(&self, _read: bool, _write: bool) -> Result<Option<Arc<dyn Node>>, FileError> {
        // Once more, with a text of its own.
        let again = || Self::made(self.system, self.item, self.inode, None);
        Ok(if self.kind() == Kind::Regular { Some(again()) } else { None })
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        match self.kind() {
            Kind::Regular => {}
            Kind::Directory => return Err(FileError::IsDirectory),
            _ => return Err(FileError::Invalid),
        }
        let mut text = self.text.lock();
        if offset == 0 {
            *text = None;
        }
        let text = text.get_or_insert_with(|| self.write());
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        Ok(text.get(start..).map_or(0, |rest| sink.put(rest)))
    }

    fn write_at(&self, _offset: u64, _source: &mut dyn Source) -> Result<usize, FileError> {
        Err(FileError::Failed)
    }

    /// Files here have no length to cut, but `>` in a shell asks for it.
    fn set_length(&self, _length: u64) -> Result<(), FileError> {
        Ok(())
    }

    fn read_link(&self) -> Result<Cow<'static, [u8]>, FileError> {
        if self.kind() != Kind::Link {
            return Err(FileError::Invalid);
        }
        self.target().map(|target| Cow::Owned(target.path)).ok_or(FileError::NotFound)
    }

    fn jump(&self) -> Option<Arc<dyn Node>> {
        self.target()?.node
    }

    fn lookup(&self, name: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        let listing = self.listing()?;
        let known = listing.entries.iter().find(|entry| entry.name.as_bytes() == name);
        let item = match known {
            Some(entry) => Some(entry.item),
            None => listing.numbered.and_then(|numbered| (numbered.find)(number::number(name)?)),
        };
        let item = item.ok_or(FileError::NotFound)?;
        // Only a directory is ever asked where it stands.
        let parent = if kind(item) == Kind::Directory { self.myself.upgrade() } else { None };
        let place = parent.map(|parent| Place { parent, name: Cow::Owned(crate::copied(name)), removed: false });
        Ok(Self::made(self.system, item, self.inode_of(name), place))
    }

    fn list(&self, cursor: &mut Cursor, visit: &mut dyn FnMut(Listed<'_>) -> bool) -> Result<(), FileError> {
        let listing = self.listing()?;
        let known = listing.entries.iter().map(|entry| (Cow::Borrowed(entry.name.as_bytes()), entry.item));
        let mut entries: Vec<(Cow<'_, [u8]>, Item)> = known.collect();
        if let Some(numbered) = listing.numbered {
            for number in (numbered.all)() {
                let item = (numbered.find)(number);
                entries.extend(item.map(|item| (Cow::Owned(number::name(number)), item)));
            }
        }
        // The next name each time: there are few, and no sorting code is needed for them.
        loop {
            let mut next: Option<&(Cow<'_, [u8]>, Item)> = None;
            for entry in &entries {
                if *entry.0 > *cursor.after && next.is_none_or(|next| *entry.0 < *next.0) {
                    next = Some(entry);
                }
            }
            let Some((name, item)) = next else { break };
            if !visit(Listed { name, inode: self.inode_of(name), kind: kind(*item) }) {
                break;
            }
            cursor.after = crate::copied(name);
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
