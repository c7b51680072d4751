//! Files, directories and links of an archive.

use alloc::{
    borrow::Cow,
    sync::{Arc, Weak},
    vec::Vec,
};

use archive::Entry;

use super::entries::{at, below, parts, with_contents};
use crate::{Cursor, FileError, FileSystem, InPlace, Kind, Listed, Metadata, NAME_LENGTH, Node, Owner, Place, Sink};

/// A node of an archive.
pub struct Packed {
    bytes: &'static [u8],
    device: u64,
    /// Its path from the root on.
    path: Vec<u8>,
    kind: Kind,
    inode: u64,
    /// What the archive says of it; nothing of a directory that only other entries' paths name.
    entry: Option<Entry<'static>>,
    /// The directory it stands in; none for the root.
    parent: Option<Arc<Self>>,
    own: Weak<Self>,
}

impl Packed {
    pub fn root(device: u64, bytes: &'static [u8]) -> Arc<Self> {
        Self::new(device, bytes, Vec::new(), at(bytes, b""), None)
    }

    fn new(
        device: u64,
        bytes: &'static [u8],
        path: Vec<u8>,
        entry: Option<Entry<'static>>,
        parent: Option<Arc<Self>>,
    ) -> Arc<Self> {
        let kind = entry.as_ref().map_or(Kind::Directory, kind);
        let entry = entry.map(|entry| if kind == Kind::Regular { whole(bytes, entry) } else { entry });
        let inode = inode(bytes, &path, entry.as_ref());
        Arc::new_cyclic(|own| Self { bytes, device, path, kind, inode, entry, parent, own: own.clone() })
    }

    /// Which of the entries below has a name first.
    #[inline(never)]
    fn place_of(&self, name: &[u8]) -> Option<usize> {
        below(self.bytes, &self.path).position(|below| below.name == name)
    }

    fn contents(&self) -> &'static [u8] {
        self.entry.as_ref().map_or(&[], |entry| entry.contents)
    }
}

impl Drop for Packed {
    fn drop(&mut self) {
        // One by one, not each in its child's end: a stack has room for only so many.
        let mut parent = self.parent.take();
        while let Some(mut last) = parent.and_then(Arc::into_inner) {
            parent = last.parent.take();
        }
    }
}

fn kind(entry: &Entry<'_>) -> Kind {
    match entry.mode & archive::KIND_MASK {
        archive::DIRECTORY => Kind::Directory,
        archive::LINK => Kind::Link,
        archive::CHARACTER => Kind::Character,
        archive::BLOCK => Kind::Block,
        archive::PIPE => Kind::Pipe,
        _ => Kind::Regular,
    }
}

/// A file's entry with its contents, which may stand with another of its names.
fn whole(bytes: &'static [u8], entry: Entry<'static>) -> Entry<'static> {
    if entry.inode == 0 || !entry.contents.is_empty() {
        return entry;
    }
    let other = with_contents(bytes, entry.inode);
    other.map_or(entry, |other| Entry { contents: other.contents, offset: other.offset, ..entry })
}

/// A number that no other node has: where the contents begin, or those of the first entry below and how deep that is.
fn inode(bytes: &'static [u8], path: &[u8], entry: Option<&Entry<'_>>) -> u64 {
    const DEPTHS: u64 = 1 << 12;
    match entry {
        Some(entry) => (entry.offset as u64 + 1) * DEPTHS,
        None => {
            let first = below(bytes, path).next().map_or(0, |below| below.entry.offset);
            let depth = parts(path).count() as u64 + 1;
            (first as u64 + 1) * DEPTHS + depth % DEPTHS
        }
    }
}

impl Node for Packed {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn metadata(&self) -> Metadata {
        let mut metadata = Metadata::new(self.kind, 0o755);
        metadata.device = self.device;
        metadata.inode = self.inode;
        if let Some(entry) = &self.entry {
            metadata.mode = entry.mode & 0o7777;
            metadata.links = entry.links.max(1);
            metadata.owner = Owner { user: entry.user, group: entry.group };
            metadata.special = entry.device;
            metadata.size = entry.contents.len() as u64;
            metadata.set_times(i64::from(entry.modified) * 1_000_000_000);
        }
        metadata
    }

    fn inode(&self) -> u64 {
        self.inode
    }

    fn file_system(&self) -> FileSystem {
        const ROMFS: u64 = 0x7275;
        let blocks = self.bytes.len() as u64 / 4096;
        FileSystem { magic: ROMFS, block_size: 4096, blocks, ..FileSystem::default() }
    }

    fn system(&self) -> usize {
        self.bytes.as_ptr().addr()
    }

    fn open(&self, _read: bool, _write: bool) -> Result<Option<Arc<dyn Node>>, FileError> {
        match self.kind {
            Kind::Regular | Kind::Directory | Kind::Link => Ok(None),
            // What devices and pipes do is not in the archive.
            _ => Err(FileError::NoDevice),
        }
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        match self.kind {
            Kind::Regular => {}
            Kind::Directory => return Err(FileError::IsDirectory),
            _ => return Err(FileError::Invalid),
        }
        let rest = usize::try_from(offset).ok().and_then(|offset| self.contents().get(offset..));
        Ok(rest.map_or(0, |rest| sink.put(rest)))
    }

    fn in_place(&self) -> Option<InPlace> {
        let entry = self.entry.as_ref().filter(|entry| self.kind == Kind::Regular && entry.offset % 4096 == 0)?;
        Some(InPlace { offset: entry.offset, length: entry.contents.len() })
    }

    fn read_link(&self) -> Result<Cow<'static, [u8]>, FileError> {
        if self.kind == Kind::Link { Ok(Cow::Borrowed(self.contents())) } else { Err(FileError::Invalid) }
    }

    fn lookup(&self, name: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        if self.kind != Kind::Directory {
            return Err(FileError::NotDirectory);
        }
        if name.len() > NAME_LENGTH {
            return Err(FileError::NameTooLong);
        }
        self.place_of(name).ok_or(FileError::NotFound)?;
        let path = if self.path.is_empty() { name.to_vec() } else { [&self.path, &b"/"[..], name].concat() };
        let entry = at(self.bytes, &path);
        Ok(Self::new(self.device, self.bytes, path, entry, self.own.upgrade()))
    }

    fn list(&self, cursor: &mut Cursor, visit: &mut dyn FnMut(Listed<'_>) -> bool) -> Result<(), FileError> {
        if self.kind != Kind::Directory {
            return Err(FileError::NotDirectory);
        }
        // The cookie counts entries; of those with one name, the first one shows it.
        for (number, found) in below(self.bytes, &self.path).enumerate().skip(cursor.cookie as usize) {
            if self.place_of(found.name) == Some(number) {
                let node = self.lookup(found.name)?;
                if !visit(Listed { name: found.name, inode: node.inode(), kind: node.kind() }) {
                    return Ok(());
                }
            }
            cursor.cookie = number as u64 + 1;
        }
        Ok(())
    }

    fn place(&self) -> Option<Place> {
        let parent: Arc<dyn Node> = self.parent.clone()?;
        let name = self.path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        Some(Place { parent, name: Cow::Owned(name.to_vec()), removed: false })
    }
}
