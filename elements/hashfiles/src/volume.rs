//! An opened image.

use alloc::{borrow::Cow, vec};

use zerocopy::FromBytes;

use crate::{
    Below, Digest, Error, File, check, hash,
    layout::{EMPTY, Entry, Header, NAMES, Parts, Slot},
};

/// Files by name and by digest.
pub struct Volume<'a, B> {
    below: B,
    /// Everything before the contents.
    index: Cow<'a, [u8]>,
    parts: Parts,
    seed: u64,
    mask: usize,
    furthest: usize,
}

impl<'a> Volume<'a, &'a [u8]> {
    /// The image that these bytes are; nothing is copied.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn in_memory(bytes: &'a [u8]) -> Result<Self, Error> {
        let (header, parts) = check::header(bytes, bytes.len() as u64)?;
        let index = bytes.get(..parts.end).ok_or(Error::Short)?;
        Self::of(bytes, Cow::Borrowed(index), &header, parts)
    }
}

impl<B: Below> Volume<'static, B> {
    /// The image that lies below; all but the contents is read now, and stays in memory.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn on(below: B) -> Result<Self, Error> {
        let length = below.length();
        let mut head = [0; NAMES];
        if length < NAMES as u64 {
            return Err(Error::Foreign);
        }
        below.read(0, &mut head).map_err(|_| Error::Unreadable)?;
        let (header, parts) = check::header(&head, length)?;
        let mut index = vec![0; parts.end];
        below.read(0, &mut index).map_err(|_| Error::Unreadable)?;
        Self::of(below, Cow::Owned(index), &header, parts)
    }
}

impl<'a, B: Below> Volume<'a, B> {
    fn of(below: B, index: Cow<'a, [u8]>, header: &Header, parts: Parts) -> Result<Self, Error> {
        check::index(&index, header, &parts)?;
        let (mask, furthest) = ((1 << header.slots.get()) - 1, header.furthest.get() as usize);
        Ok(Self { below, index, parts, seed: header.seed.get(), mask, furthest })
    }

    /// The file of that name.
    #[inline]
    pub fn open(&self, name: &[u8]) -> Option<File<'_, B>> {
        let index = &*self.index;
        let table = &index[NAMES..self.parts.digests];
        let hash = hash::of_name(name, self.seed);
        self.search(table, hash, |entry| self.text(entry) == Some(name))
    }

    /// A file with contents of that digest.
    #[inline]
    pub fn open_digest(&self, digest: &Digest) -> Option<File<'_, B>> {
        let index = &*self.index;
        let table = &index[self.parts.digests..self.parts.entries];
        self.search(table, hash::of_digest(digest, self.seed), |entry| entry.digest == *digest)
    }

    /// Goes from the hash's place on until `is` says that it is the entry, or there is an empty slot.
    #[inline]
    fn search(&self, table: &[u8], hash: u64, is: impl Fn(&Entry) -> bool) -> Option<File<'_, B>> {
        let slots = <[Slot]>::ref_from_bytes(table).ok()?;
        let entries = self.entries();
        let tag = (hash >> 32) as u32;
        for step in 0..self.furthest {
            let slot = slots.get((hash as usize).wrapping_add(step) & self.mask)?;
            if slot.entry.get() == EMPTY {
                return None;
            }
            if slot.tag.get() == tag {
                let entry = entries.get(slot.entry.get() as usize)?;
                if is(entry) {
                    return Some(File::new(&self.below, entry));
                }
            }
        }
        None
    }

    #[inline]
    fn entries(&self) -> &[Entry] {
        <[Entry]>::ref_from_bytes(&self.index[self.parts.entries..self.parts.texts]).unwrap_or_default()
    }

    #[inline]
    fn text(&self, entry: &Entry) -> Option<&[u8]> {
        let begin = self.parts.texts + entry.name_begin.get() as usize;
        self.index.get(begin..begin + entry.name_length.get() as usize)
    }

    /// All names and their files, in the order in which they were packed.
    pub fn files(&self) -> impl Iterator<Item = (&[u8], File<'_, B>)> {
        self.entries().iter().map(|entry| (self.text(entry).unwrap_or_default(), File::new(&self.below, entry)))
    }

    /// How many names there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.entries().len()
    }
}
