//! The load plan: everything about a program that its loader needs to know, checked.

use alloc::{vec, vec::Vec};

use object::{
    LittleEndian,
    elf::{self, ProgramHeader64},
    pod,
};

use crate::{Error, PAGE, ReadAt, Segment, header};

type RawHeader = ProgramHeader64<LittleEndian>;

/// Longest path of an interpreter, with its NUL (PATH_MAX).
const MAX_INTERPRETER: u64 = 4096;

/// Largest alignment honoured for a position-independent program: a 1 GB page.
const MAX_ALIGNMENT: u64 = 1 << 30;

/// Where a program may be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only at the addresses it names (ET_EXEC).
    Fixed,
    /// Anywhere (ET_DYN): a load address is added to all addresses.
    Relocatable {
        /// The load address is a multiple of this power of two, at least a page.
        alignment: u64,
    },
}

/// A validated program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Where it may be loaded.
    pub kind: Kind,
    /// Its first instruction.
    pub entry: u64,
    /// What to load, ascending; no two segments share a page. At least one.
    pub segments: Vec<Segment>,
    /// Where its program headers will stand in memory (AT_PHDR), if a segment covers them.
    pub headers: Option<u64>,
    /// How many there are (AT_PHNUM).
    pub header_count: u16,
    /// The interpreter it asks for (PT_INTERP), which makes it a dynamic program.
    pub interpreter: Option<Vec<u8>>,
    /// Whether it asks for an executable stack (PT_GNU_STACK).
    pub executable_stack: bool,
}

impl Plan {
    /// Bytes of one program header (AT_PHENT).
    pub const HEADER_SIZE: usize = size_of::<RawHeader>();

    /// Reads and checks a file of `length` bytes.
    pub fn read(length: u64, file: &mut impl ReadAt) -> Result<Self, Error> {
        let mut first = [0; header::SIZE];
        let present = first.len().min(usize::try_from(length).unwrap_or(usize::MAX));
        if !file.read_at(0, &mut first[..present]) {
            return Err(Error::ShortHeader);
        }
        let header = header::parse(&first[..present])?;
        let table = read_table(&header, length, file)?;
        let (headers, _) =
            pod::slice_from_bytes::<RawHeader>(&table, header.count.into()).map_err(|()| Error::HeaderSize)?;
        let segments = segments(headers, length)?;
        let plan = Self {
            kind: kind(&header, headers),
            entry: header.entry,
            headers: headers_address(&header, &segments),
            header_count: header.count,
            interpreter: interpreter(headers, length, file)?,
            executable_stack: executable_stack(headers),
            segments,
        };
        plan.check_entry()?;
        Ok(plan)
    }

    /// First address behind the last segment's last page.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.segments.last().map_or(0, Segment::page_end)
    }

    /// First address of the first segment's first page.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.segments.first().map_or(0, Segment::page_start)
    }

    /// Linux lets a program with a wild entry point start and die; a sentence is better. A dynamic program's entry is
    /// its interpreter's business.
    fn check_entry(&self) -> Result<(), Error> {
        let inside = |segment: &Segment| {
            segment.rights.execute && (segment.page_start()..segment.page_end()).contains(&self.entry)
        };
        let fine = self.interpreter.is_some() || self.segments.iter().any(inside);
        if fine { Ok(()) } else { Err(Error::Entry) }
    }
}

fn read_table(header: &header::Header, length: u64, file: &mut impl ReadAt) -> Result<Vec<u8>, Error> {
    let size = usize::from(header.count) * size_of::<RawHeader>();
    let end = header.table.checked_add(size as u64).ok_or(Error::HeadersOutside)?;
    if end > length {
        return Err(Error::HeadersOutside);
    }
    let mut table = vec![0; size];
    if file.read_at(header.table, &mut table) { Ok(table) } else { Err(Error::HeadersOutside) }
}

fn segments(headers: &[RawHeader], length: u64) -> Result<Vec<Segment>, Error> {
    // As many as linkers make, most often.
    let mut segments: Vec<Segment> = Vec::with_capacity(4);
    for header in headers.iter().filter(|header| header.p_type.get(LittleEndian) == elf::PT_LOAD) {
        let Some(segment) = Segment::new(header, length)? else { continue };
        if segments.last().is_some_and(|last| last.page_end() > segment.page_start()) {
            return Err(Error::Overlap);
        }
        segments.push(segment);
    }
    if segments.is_empty() { Err(Error::NoSegments) } else { Ok(segments) }
}

/// A position-independent program's alignment is the largest of its segments', as Linux takes it since 5.10; what is
/// no power of two does not count.
fn kind(header: &header::Header, headers: &[RawHeader]) -> Kind {
    if header.kind == elf::ET_EXEC {
        return Kind::Fixed;
    }
    let alignment = headers
        .iter()
        .filter(|header| header.p_type.get(LittleEndian) == elf::PT_LOAD)
        .map(|header| header.p_align.get(LittleEndian))
        .filter(|alignment| alignment.is_power_of_two() && *alignment <= MAX_ALIGNMENT)
        .fold(PAGE, u64::max);
    Kind::Relocatable { alignment }
}

fn headers_address(header: &header::Header, segments: &[Segment]) -> Option<u64> {
    let covers = |segment: &&Segment| {
        header.table.checked_sub(segment.offset).is_some_and(|inside| inside < segment.file_length)
    };
    segments.iter().find(covers).map(|segment| segment.address + (header.table - segment.offset))
}

fn interpreter(headers: &[RawHeader], length: u64, file: &mut impl ReadAt) -> Result<Option<Vec<u8>>, Error> {
    let Some(header) = headers.iter().find(|header| header.p_type.get(LittleEndian) == elf::PT_INTERP) else {
        return Ok(None);
    };
    let (offset, size) = (header.p_offset.get(LittleEndian), header.p_filesz.get(LittleEndian));
    if !(2..=MAX_INTERPRETER).contains(&size) || offset.checked_add(size).is_none_or(|end| end > length) {
        return Err(Error::Interpreter);
    }
    let mut path = vec![0; size as usize];
    if !file.read_at(offset, &mut path) || path.pop() != Some(0) {
        return Err(Error::Interpreter);
    }
    let end = path.iter().position(|&byte| byte == 0).unwrap_or(path.len());
    path.truncate(end);
    if path.is_empty() { Err(Error::Interpreter) } else { Ok(Some(path)) }
}

fn executable_stack(headers: &[RawHeader]) -> bool {
    let stack = headers.iter().find(|header| header.p_type.get(LittleEndian) == elf::PT_GNU_STACK);
    stack.is_some_and(|header| header.p_flags.get(LittleEndian) & elf::PF_X != 0)
}
