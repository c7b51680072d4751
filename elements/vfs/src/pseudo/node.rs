//! A node of a table.

use alloc::{borrow::Cow, sync::Arc, vec::Vec};

use super::{Item, Listing, System, Target, text::Text};
use crate::{FileError, FileSystem, Kind, Listed, Metadata, Node, Place, Removal, Sink};

/// A node, made by a look-up.
pub(super) struct Pseudo {
    system: &'static System,
    item: Item,
    inode: u64,
    place: Option<Place>,
}

impl Pseudo {
    pub(super) const fn new(system: &'static System, item: Item, inode: u64, place: Option<Place>) -> Self {
        Self { system, item, inode, place }
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

    /// This directory as one more owner of it, for what is made in it.
    fn again(&self) -> Arc<dyn Node> {
        Arc::new(Self { place: self.place.clone(), ..*self })
    }

    fn target(&self) -> Option<Target> {
        match self.item {
            Item::Link(read) => Some(Target { path: read(), node: None }),
            Item::Jump(target, which) => target(which),
            _ => None,
        }
    }
}

fn kind(item: Item) -> Kind {
    match item {
        Item::Directory(_) => Kind::Directory,
        Item::Text(_) => Kind::Regular,
        Item::Link(_) | Item::Jump(..) => Kind::Link,
    }
}

impl Node for Pseudo {
    fn kind(&self) -> Kind {
        kind(self.item)
    }

    fn metadata(&self) -> Metadata {
        let (mode, links) = match self.item {
            Item::Directory(listing) => {
                let inner = listing.entries.iter().filter(|entry| kind(entry.item) == Kind::Directory).count();
                (0o555, 2 + inner as u32)
            }
            Item::Text(_) => (0o444, 1),
            Item::Link(_) | Item::Jump(..) => (0o777, 1),
        };
        let now = (self.system.now)();
        Metadata {
            device: self.system.device,
            inode: self.inode,
            links,
            accessed: now,
            modified: now,
            changed: now,
            ..Metadata::new(self.kind(), mode)
        }
    }

    fn file_system(&self) -> FileSystem {
        FileSystem { magic: self.system.magic, block_size: 4096, blocks: 0, free: 0 }
    }

    fn open(&self, _read: bool, _write: bool) -> Result<Option<Arc<dyn Node>>, FileError> {
        match self.item {
            Item::Text(write) => Ok(Some(Arc::new(Text::new(write)))),
            _ => Ok(None),
        }
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        match self.item {
            Item::Text(write) => Text::new(write).read_at(offset, sink),
            Item::Directory(_) => Err(FileError::IsDirectory),
            _ => Err(FileError::Invalid),
        }
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
            None => listing.more.and_then(|more| (more.find)(name)),
        };
        let item = item.ok_or(FileError::NotFound)?;
        // Only a directory is ever asked where it stands.
        let place = matches!(item, Item::Directory(_)).then(|| Place {
            parent: self.again(),
            name: Cow::Owned(name.to_vec()),
            removed: false,
        });
        Ok(Arc::new(Self::new(self.system, item, self.inode_of(name), place)))
    }

    fn list(&self, after: Option<&[u8]>, visit: &mut dyn FnMut(Listed<'_>) -> bool) -> Result<(), FileError> {
        let listing = self.listing()?;
        let coming = listing.more.map_or_else(Vec::new, |more| (more.all)());
        let known = listing.entries.iter().map(|entry| (entry.name.as_bytes(), entry.item));
        let all = || known.clone().chain(coming.iter().map(|(name, item)| (&name[..], *item)));
        // The next name each time: there are few, and no sorting code is needed for them.
        let mut last = after;
        while let Some((name, item)) =
            all().filter(|&(name, _)| last.is_none_or(|last| name > last)).min_by_key(|&(name, _)| name)
        {
            if !visit(Listed { name, inode: self.inode_of(name), kind: kind(item) }) {
                break;
            }
            last = Some(name);
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
