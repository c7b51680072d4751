//! One segment to load.

use object::{
    LittleEndian,
    elf::{self, ProgramHeader64},
};

use crate::{Error, PAGE};

/// What a program may do with a segment's pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rights {
    /// Loads.
    pub read: bool,
    /// Stores.
    pub write: bool,
    /// Instruction fetches.
    pub execute: bool,
}

/// A range of memory, the first part of which comes from the file and the rest of which is zero.
///
/// Address and offset are the same within a page, no sum of them overflows, and the file has all the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// First address, before the load address of a position-independent program is added.
    pub address: u64,
    /// Bytes in memory; not 0.
    pub memory_length: u64,
    /// First byte in the file.
    pub offset: u64,
    /// Bytes in the file.
    pub file_length: u64,
    /// What may be done there.
    pub rights: Rights,
}

impl Segment {
    /// The segment of a PT_LOAD header; `None` if it takes no memory.
    pub(crate) fn new(header: &ProgramHeader64<LittleEndian>, length: u64) -> Result<Option<Self>, Error> {
        let endian = LittleEndian;
        let flags = header.p_flags.get(endian);
        let segment = Self {
            address: header.p_vaddr.get(endian),
            memory_length: header.p_memsz.get(endian),
            offset: header.p_offset.get(endian),
            file_length: header.p_filesz.get(endian),
            rights: Rights {
                read: flags & elf::PF_R != 0,
                write: flags & elf::PF_W != 0,
                execute: flags & elf::PF_X != 0,
            },
        };
        if segment.file_length > segment.memory_length {
            return Err(Error::LargerThanMemory);
        }
        if segment.memory_length == 0 {
            return Ok(None);
        }
        segment.check(length)?;
        Ok(Some(segment))
    }

    fn check(&self, length: u64) -> Result<(), Error> {
        if self.file_length > 0 {
            let needed = self.offset.checked_add(self.file_length).ok_or(Error::Overflow)?;
            if needed > length {
                return Err(Error::Truncated { needed, length });
            }
            if self.offset % PAGE != self.address % PAGE {
                return Err(Error::Misaligned);
            }
        }
        // The last page must end inside the lower half, which leaves room for every rounding up.
        let end = self.address.checked_add(self.memory_length).ok_or(Error::Overflow)?;
        if end >= 1 << 63 { Err(Error::Overflow) } else { Ok(()) }
    }

    /// First address of its first page.
    #[must_use]
    pub const fn page_start(&self) -> u64 {
        self.address - self.address % PAGE
    }

    /// First address behind its last page.
    #[must_use]
    pub const fn page_end(&self) -> u64 {
        (self.address + self.memory_length).next_multiple_of(PAGE)
    }

    /// First address behind the last page that holds bytes of the file.
    #[must_use]
    pub const fn file_page_end(&self) -> u64 {
        if self.file_length == 0 {
            return self.page_start();
        }
        (self.address + self.file_length).next_multiple_of(PAGE)
    }
}
