//! What unwinders know of a program's functions: its section `.eh_frame`, found by the section headers. Programs
//! without a dynamic linker often have no other way to it (PT_GNU_EH_FRAME).

use alloc::{vec, vec::Vec};

use object::{
    LittleEndian,
    elf::{self, FileHeader64, SectionHeader64},
    pod,
};

use crate::{ReadAt, header};

type Section = SectionHeader64<LittleEndian>;

/// Most sections of a file that is looked at, and most bytes of what is read of it.
const MOST_SECTIONS: u16 = 256;
const MOST: u64 = 1 << 20;

/// A section's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames {
    /// The address of the first one, before the load address of a position-independent program is added.
    pub address: u64,
    /// All of them.
    pub bytes: Vec<u8>,
}

/// The section `.eh_frame` of an ELF file; `None` if it has none, or a very large one.
#[must_use]
pub fn frames(file: &mut impl ReadAt) -> Option<Frames> {
    let mut first = [0; header::SIZE];
    if !file.read_at(0, &mut first) || header::parse(&first).is_err() {
        return None;
    }
    let (header, _) = pod::from_bytes::<FileHeader64<LittleEndian>>(&first).ok()?;
    let (count, size) = (header.e_shnum.get(LittleEndian), header.e_shentsize.get(LittleEndian));
    if count > MOST_SECTIONS || usize::from(size) != size_of::<Section>() {
        return None;
    }
    let table = read(file, header.e_shoff.get(LittleEndian), u64::from(count) * size_of::<Section>() as u64)?;
    let (sections, _) = pod::slice_from_bytes::<Section>(&table, count.into()).ok()?;
    let names = contents(file, sections.get(usize::from(header.e_shstrndx.get(LittleEndian)))?)?;
    let is_named = |section: &&Section| {
        let name = names.get(section.sh_name.get(LittleEndian) as usize..);
        name.is_some_and(|name| name.starts_with(b".eh_frame\0"))
    };
    let section =
        sections.iter().filter(|section| section.sh_type.get(LittleEndian) != elf::SHT_NOBITS).find(is_named)?;
    Some(Frames { address: section.sh_addr.get(LittleEndian), bytes: contents(file, section)? })
}

fn contents(file: &mut impl ReadAt, section: &Section) -> Option<Vec<u8>> {
    read(file, section.sh_offset.get(LittleEndian), section.sh_size.get(LittleEndian))
}

fn read(file: &mut impl ReadAt, offset: u64, length: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length.min(MOST + 1)).ok()?];
    (length <= MOST && file.read_at(offset, &mut bytes)).then_some(bytes)
}
