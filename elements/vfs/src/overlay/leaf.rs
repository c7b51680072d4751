//! Everything but directories.

use alloc::{
    borrow::Cow,
    sync::{Arc, Weak},
    vec::Vec,
};
use core::{any::Any, ops::Range};

use ::pages::Page;
use sync::{Mutex, Once};

use super::{Shared, contents::Contents, directory::Directory, head::Head};
use crate::{
    Change, Extended, FileError, FilePages, FileSystem, Identity, InPlace, Kind, Mappings, Metadata, Moved, Name, Node,
    ShortSink, ShortSource, Shows, Sink, Source, pipe::Pipe,
};

/// A file, link, device or pipe.
pub(super) struct Leaf {
    pub(super) head: Head,
    kind: Kind,
    /// Its name among the files that have several below.
    pub(super) key: Option<Vec<u8>>,
    /// The directory that it was found in, and the name there, as long as it is as below.
    pub(super) place: Mutex<Option<(Arc<Directory>, Name)>>,
    pub(super) myself: Weak<Self>,
    body: Body,
}

/// What only one kind has.
pub(super) enum Body {
    File(Contents),
    /// Where a link that was made here leads.
    Link(Option<Cow<'static, [u8]>>),
    /// The bytes of a named pipe, from the first time it is opened.
    Special(Once<Arc<Pipe>>),
}

impl Body {
    pub(super) fn empty_file(shared: &Shared) -> Self {
        Self::File(Contents::new(shared.surroundings))
    }

    pub(super) const fn special() -> Self {
        Self::Special(Once::new())
    }
}

impl Leaf {
    /// Shows `lower`.
    pub(super) fn below(
        shared: Arc<Shared>,
        lower: Arc<dyn Node>,
        key: Option<Vec<u8>>,
        place: (Arc<Directory>, Name),
    ) -> Arc<Self> {
        let kind = lower.kind();
        let body = match kind {
            Kind::Regular => Body::File(Contents::below(shared.surroundings, lower.clone())),
            Kind::Link => Body::Link(None),
            _ => Body::special(),
        };
        Self::new(Head::below(shared, lower), kind, key, Some(place), body)
    }

    /// New.
    pub(super) fn made(head: Head, kind: Kind, body: Body) -> Arc<Self> {
        Self::new(head, kind, None, None, body)
    }

    fn new(
        head: Head,
        kind: Kind,
        key: Option<Vec<u8>>,
        place: Option<(Arc<Directory>, Name)>,
        body: Body,
    ) -> Arc<Self> {
        let place = Mutex::new(place);
        Arc::new_cyclic(|myself| Self { head, kind, key, place, myself: myself.clone(), body })
    }

    /// The node as an overlay's, if it is one and no directory.
    pub(super) fn of(node: &dyn Node) -> Option<&Self> {
        let node: &dyn Any = node;
        node.downcast_ref()
    }

    fn shows(&self) -> Weak<dyn Shows> {
        let myself: Weak<Self> = self.myself.clone();
        myself
    }

    fn contents(&self) -> Result<&Contents, FileError> {
        if let Body::File(contents) = &self.body { Ok(contents) } else { Err(FileError::Invalid) }
    }

    /// The contents, which are about to change.
    fn contents_to_change(&self) -> Result<&Contents, FileError> {
        let contents = self.contents()?;
        self.claim();
        let size = self.head.settled().map_or(0, |known| known.size);
        contents.settle(size);
        Ok(contents)
    }

    fn write(&self, offset: Option<u64>, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
        let written = self.contents_to_change()?.write(offset, source)?;
        self.head.touch();
        Ok(written)
    }
}

impl Node for Leaf {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn metadata(&self) -> Metadata {
        let mut metadata = self.head.metadata();
        if let Body::File(contents) = &self.body
            && let Some((size, occupied)) = contents.size()
        {
            (metadata.size, metadata.occupied) = (size, occupied);
        }
        metadata
    }

    fn identity(&self) -> Identity {
        self.head.identity()
    }

    fn change(&self, change: &Change) -> Result<(), FileError> {
        // A link's mode means nothing and stays (symlink(7)).
        if self.kind == Kind::Link && change.mode.is_some() {
            return Err(FileError::Unsupported);
        }
        self.claim();
        self.head.change(change);
        Ok(())
    }

    fn extended(&self) -> Option<&Mutex<Extended>> {
        Some(&self.head.extended)
    }

    fn file_system(&self) -> FileSystem {
        self.head.shared.file_system()
    }

    fn system(&self) -> usize {
        self.head.system()
    }

    fn open(&self, read: bool, write: bool) -> Result<Option<Arc<dyn Node>>, FileError> {
        match &self.body {
            Body::File(contents) => contents.open().map(|()| None),
            Body::Link(_) => Ok(None),
            Body::Special(pipe) if self.kind == Kind::Pipe => {
                // Whoever opens it later is to find this pipe.
                self.claim();
                let Metadata { inode, owner, modified, .. } = self.metadata();
                let pipe = pipe.call_once(|| Pipe::new(inode, owner, modified));
                Ok(Some(Arc::new(pipe.open(read, write))))
            }
            Body::Special(_) if matches!(self.kind, Kind::Character | Kind::Block) => {
                self.head.shared.surroundings.device(self.kind, self.metadata().special).map(Some)
            }
            Body::Special(_) => Err(FileError::NoDevice),
        }
    }

    fn has_short_ways(&self) -> bool {
        self.kind == Kind::Regular
    }

    fn read_short(&self, offset: u64, count: usize, sink: ShortSink) -> Moved {
        if self.head.is_unread() { None } else { self.contents().ok()?.read_short(offset, count, sink) }
    }

    fn write_short(&self, offset: u64, count: usize, source: ShortSource) -> Moved {
        // Nobody keeps it yet: a page of its own may be one that was only looked at.
        if self.place.lock_in_line().is_some() || !self.head.is_settled() {
            return None;
        }
        let moved = self.contents().ok()?.write_short(offset, count, source)?;
        self.head.touch();
        Some(moved)
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        if self.head.is_unread() && sink.room() > 0 && !sink.is_quiet() {
            self.head.note_read();
        }
        self.contents()?.read(offset, sink)
    }

    fn note_read(&self) {
        self.head.read();
    }

    fn write_at(&self, offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        Ok(self.write(Some(offset), source)?.0)
    }

    fn append(&self, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
        self.write(None, source)
    }

    fn set_length(&self, length: u64) -> Result<(), FileError> {
        self.contents_to_change()?.set_length(length)?;
        self.head.touch();
        Ok(())
    }

    fn erase(&self, offset: u64, length: u64) -> Result<(), FileError> {
        self.contents_to_change()?.erase(offset, length)?;
        self.head.touch();
        Ok(())
    }

    fn next_part(&self, offset: u64, hole: bool) -> Option<u64> {
        self.contents().ok()?.next_part(offset, hole)
    }

    fn pages(&self) -> Option<&dyn FilePages> {
        if self.kind == Kind::Regular { Some(self) } else { None }
    }

    fn direct(&self, shared: bool) -> Option<u32> {
        match &self.body {
            Body::File(contents) if !shared => contents.direct(),
            _ => None,
        }
    }

    fn in_place(&self) -> Option<InPlace> {
        self.contents().ok()?.in_place()
    }

    fn read_link(&self) -> Result<Cow<'static, [u8]>, FileError> {
        self.head.read();
        match (&self.body, &self.head.lower) {
            (Body::Link(Some(target)), _) => Ok(target.clone()),
            (Body::Link(None), Some(lower)) => lower.read_link(),
            _ => Err(FileError::Invalid),
        }
    }
}

/// What is below is shown as this file's.
impl Shows for Leaf {
    fn forget(&self, _below: &Mappings, pages: Range<u64>) {
        self.mappings().forget(pages);
    }
}

impl FilePages for Leaf {
    fn page(&self, number: u64, write: bool) -> Result<Arc<Page>, FileError> {
        if write {
            let page = self.contents_to_change()?.page(number, true, &self.shows())?;
            self.head.touch();
            return Ok(page);
        }
        let contents = self.contents()?;
        if !contents.is_settled() {
            // Nothing is different yet: nobody has to keep the file for that.
            contents.settle(self.head.metadata().size);
        }
        contents.page(number, false, &self.shows())
    }

    fn page_here(&self, number: u64, write: bool) -> Result<Option<Arc<Page>>, FileError> {
        let contents = self.contents()?;
        if !contents.is_settled() || write && self.head.settled().is_none() {
            return Ok(None);
        }
        let page = contents.page_here(number, write)?;
        if write && page.is_some() {
            self.head.touch();
        }
        Ok(page)
    }

    fn run(&self, number: u64, address: usize, most: usize) -> usize {
        self.contents().map_or(0, |contents| contents.run(number, address, most))
    }

    fn mappings(&self) -> &Mappings {
        static NOBODY: Mappings = Mappings::new();
        self.contents().map_or(&NOBODY, |contents| &contents.mappings)
    }
}
