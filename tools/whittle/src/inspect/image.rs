//! The parts and the names of a linked ELF file.

use std::path::Path;

use object::elf::{
    FileHeader64, PF_W, SHF_ALLOC, SHF_EXECINSTR, SHT_NOBITS, SHT_PROGBITS, STT_FUNC, STT_NOTYPE, STT_OBJECT,
};
use object::read::elf::{ElfFile64, FileHeader, ProgramHeader, SectionHeader};
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol, SymbolFlags};

use crate::failure::Failure;

/// What a loaded range is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Instructions.
    Text,
    /// What is only read.
    Constants,
    /// What may be written.
    Data,
    /// What begins as zeros and takes no bytes of the file.
    Zeroed,
    /// What only a loader reads, and what holds no contents: headers, tables, padding.
    Other,
}

/// A loaded section.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its name.
    pub name: String,
    /// Where it lies in memory.
    pub address: u64,
    /// Where it lies in the file.
    pub offset: u64,
    /// Its length in bytes.
    pub size: u64,
    /// What it is for.
    pub part: Part,
}

/// A name for a range of addresses.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Where it begins.
    pub address: u64,
    /// Its bytes; 0 for a label of assembly, which goes on to the next name.
    pub size: u64,
    /// As the linker knows it.
    pub name: String,
}

/// A linked file.
#[derive(Debug)]
pub struct Image {
    /// What is loaded, in the order of the file.
    pub sections: Vec<Section>,
    /// Names of functions and data, and labels, in the order of their addresses.
    pub symbols: Vec<Symbol>,
    /// The bytes of the headers at the file's start.
    pub headers: u64,
    /// The program headers themselves.
    table: Vec<u8>,
}

type Elf<'a> = ElfFile64<'a, LittleEndian>;

impl Image {
    /// Reads the sections and symbols of `file`; `path` is for the sentences about what is wrong with it.
    pub fn read(file: &[u8], path: &Path) -> Result<Self, Failure> {
        let path = path.display();
        let elf =
            Elf::parse(file).map_err(|_| Failure::ours(format!("{path} is no 64-bit ELF file, or a damaged one")))?;
        let sections = sections(&elf);
        let symbols = symbols(&elf);
        if symbols.is_empty() || sections.is_empty() {
            return Err(Failure::ours(format!(
                "{path} has no symbols: the unstripped file, NAME-PLATFORM.elf, must lie beside it"
            )));
        }
        let table = program_headers(file).unwrap_or_default().to_vec();
        let header = elf.elf_header();
        let headers = u64::from(header.e_ehsize(LittleEndian)) + table.len() as u64;
        Ok(Self { sections, symbols, headers, table })
    }

    /// Whether another file is the same program for a loader.
    #[must_use]
    pub fn starts_as(&self, file: &[u8]) -> bool {
        program_headers(file).is_some_and(|table| table == self.table)
    }
}

fn program_headers(file: &[u8]) -> Option<&[u8]> {
    let header = FileHeader64::<LittleEndian>::parse(file).ok()?;
    let count = header.program_headers(LittleEndian, file).ok()?.len();
    let begin = usize::try_from(header.e_phoff(LittleEndian)).ok()?;
    let size = count.checked_mul(usize::from(header.e_phentsize(LittleEndian)))?;
    file.get(begin..begin.checked_add(size)?)
}

fn sections(elf: &Elf<'_>) -> Vec<Section> {
    let mut sections: Vec<Section> = elf
        .sections()
        .filter_map(|section| {
            let header = section.elf_section_header();
            let flags = header.sh_flags(LittleEndian);
            let name = section.name().unwrap_or_default().to_owned();
            let (address, size) = (section.address(), section.size());
            let offset = header.sh_offset(LittleEndian);
            let part = match header.sh_type(LittleEndian) {
                SHT_NOBITS => Part::Zeroed,
                SHT_PROGBITS if name.starts_with(".got") => Part::Other,
                SHT_PROGBITS if flags.contains(SHF_EXECINSTR) => Part::Text,
                // What only a loader relocates is read-only to everyone else.
                SHT_PROGBITS if name.starts_with(".data.rel.ro") => Part::Constants,
                SHT_PROGBITS if writable(elf, address) => Part::Data,
                SHT_PROGBITS => Part::Constants,
                _ => Part::Other,
            };
            (flags.contains(SHF_ALLOC) && size != 0).then_some(Section { name, address, offset, size, part })
        })
        .collect();
    sections.sort_by_key(|section| (section.offset, section.address));
    sections
}

/// Whether the segment of an address may be written.
fn writable(elf: &Elf<'_>, address: u64) -> bool {
    elf.elf_program_headers().iter().any(|segment| {
        let begin = segment.p_vaddr(LittleEndian);
        let inside = address.checked_sub(begin).is_some_and(|offset| offset < segment.p_memsz(LittleEndian));
        segment.p_type(LittleEndian) == object::elf::PT_LOAD && inside && segment.p_flags(LittleEndian).contains(PF_W)
    })
}

fn symbols(elf: &Elf<'_>) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = elf
        .symbols()
        .filter_map(|symbol| {
            let SymbolFlags::Elf { st_info, .. } = symbol.flags() else { return None };
            let (kind, name) = (st_info.st_type(), symbol.name().ok()?);
            let named = matches!(kind, STT_FUNC | STT_OBJECT | STT_NOTYPE) && !name.is_empty();
            let placed = symbol.section_index().is_some();
            (named && placed).then(|| Symbol { address: symbol.address(), size: symbol.size(), name: name.to_owned() })
        })
        .collect();
    // Of several names for one place the longest range counts, else the first name of the file.
    symbols.sort_by_key(|symbol| (symbol.address, std::cmp::Reverse(symbol.size)));
    symbols.dedup_by_key(|symbol| symbol.address);
    symbols
}
