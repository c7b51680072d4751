//! Writing an archive, a header at a time: whoever writes brings the contents, so no file is copied on the way.
//!
//! ```
//! use archive::{Head, trailer, REGULAR};
//! let mut bytes = Vec::new();
//! let head = Head { name: b"etc/motd", mode: REGULAR | 0o644, size: 3, inode: 1, ..Head::default() };
//! let contents = head.write(0, &mut |part| bytes.extend_from_slice(part)).unwrap();
//! assert_eq!(contents, 4096);
//! bytes.extend_from_slice(b"hi\n");
//! bytes.resize(bytes.len() + head.padding(), 0);
//! let at = bytes.len() as u64;
//! trailer(at, &mut |part| bytes.extend_from_slice(part));
//! assert_eq!(bytes.len() % 4096, 0);
//! ```

use crate::{
    KIND_MASK, PAGE, REGULAR, TRAILER,
    header::{LENGTH, MAGIC},
};

/// What to say about an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head<'a> {
    /// Path without a leading `/`.
    pub name: &'a [u8],
    /// A number of the entry's own, which only hard links share.
    pub inode: u32,
    /// Kind and permissions (`st_mode`).
    pub mode: u32,
    /// Owner.
    pub user: u32,
    /// Group.
    pub group: u32,
    /// Last change of contents, seconds since 1970.
    pub modified: u32,
    /// Bytes of contents.
    pub size: u64,
    /// Major and minor number of a device.
    pub device: (u32, u32),
}

/// Why an entry cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadError {
    /// The format ends at 4 GB.
    TooLarge,
    /// A NUL in the name, or no name.
    BadName,
}

impl Head<'_> {
    /// Writes the header for an entry at byte `at` of the archive, a multiple of 4, through `sink`. Returns the byte
    /// of the archive where the contents begin, which is where the header ends.
    pub fn write(&self, at: u64, sink: &mut dyn FnMut(&[u8])) -> Result<u64, HeadError> {
        if self.name.is_empty() || self.name.contains(&0) {
            return Err(HeadError::BadName);
        }
        let size = u32::try_from(self.size).map_err(|_| HeadError::TooLarge)?;
        let name_start = at + LENGTH as u64;
        let name_end = name_start + self.name.len() as u64 + 1;
        let contents = name_end.next_multiple_of(if self.is_paged() { PAGE as u64 } else { 4 });
        // The padding of contents that lie on a page belongs to the name; four-byte padding belongs to nobody.
        let name_size = if self.is_paged() { contents - name_start } else { name_end - name_start };
        sink(&self.fixed(size, name_size as u32));
        sink(self.name);
        zeros((contents - name_end + 1) as usize, sink);
        Ok(contents)
    }

    /// Zeros to write behind the contents, so that the next entry begins on a page or a multiple of 4.
    #[must_use]
    pub const fn padding(&self) -> usize {
        let to = if self.is_paged() { PAGE as u64 } else { 4 };
        (self.size.next_multiple_of(to) - self.size) as usize
    }

    const fn is_paged(&self) -> bool {
        self.mode & KIND_MASK == REGULAR && self.size > 0
    }

    fn fixed(&self, size: u32, name_size: u32) -> [u8; LENGTH] {
        let links = if self.mode & KIND_MASK == crate::DIRECTORY { 2 } else { 1 };
        let (major, minor) = self.device;
        let (inode, mode, user, group) = (self.inode, self.mode, self.user, self.group);
        let fields = [inode, mode, user, group, links, self.modified, size, 0, 0, major, minor, name_size, 0];
        let mut bytes = [0; LENGTH];
        let (magic, digits) = bytes.split_at_mut(MAGIC.len());
        magic.copy_from_slice(MAGIC);
        for (place, value) in digits.chunks_exact_mut(8).zip(fields) {
            for (index, digit) in place.iter_mut().enumerate() {
                *digit = b"0123456789abcdef"[((value >> (28 - 4 * index)) & 15) as usize];
            }
        }
        bytes
    }
}

/// Writes the entry that ends an archive, at byte `at`, and zeros up to a page. Returns the archive's length.
pub fn trailer(at: u64, sink: &mut dyn FnMut(&[u8])) -> u64 {
    let end = Head { name: TRAILER, ..Head::default() }.write(at, sink).unwrap_or(at);
    let length = end.next_multiple_of(PAGE as u64);
    zeros((length - end) as usize, sink);
    length
}

fn zeros(mut count: usize, sink: &mut dyn FnMut(&[u8])) {
    while count > 0 {
        let part = count.min(64);
        sink(&[0; 64][..part]);
        count -= part;
    }
}
