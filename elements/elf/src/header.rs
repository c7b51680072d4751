//! The file header: what the file is, and where its program headers stand.

use object::{
    LittleEndian,
    elf::{self, FileHeader64, ProgramHeader64},
    pod,
};

use crate::Error;

/// Bytes of an ELF64 file header.
pub(crate) const SIZE: usize = size_of::<FileHeader64<LittleEndian>>();

/// Most program headers that Linux takes: 64 KB of them.
const MAX_HEADERS: u16 = (65536 / size_of::<ProgramHeader64<LittleEndian>>()) as u16;

/// What the rest of the validation needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub kind: u16,
    pub entry: u64,
    pub table: u64,
    pub count: u16,
}

/// Reads the first bytes of a file: as many as there are, at most [`SIZE`].
pub(crate) fn parse(bytes: &[u8]) -> Result<Header, Error> {
    if bytes.get(..4) != Some(&elf::ELFMAG[..]) {
        return Err(Error::NotElf);
    }
    refuse_foreign(bytes)?;
    let (header, _) = pod::from_bytes::<FileHeader64<LittleEndian>>(bytes).map_err(|()| Error::ShortHeader)?;
    let endian = LittleEndian;
    let kind = header.e_type.get(endian);
    if kind != elf::ET_EXEC && kind != elf::ET_DYN {
        return Err(Error::NotExecutable(kind));
    }
    let count = header.e_phnum.get(endian);
    let entry_size = usize::from(header.e_phentsize.get(endian));
    if entry_size != size_of::<ProgramHeader64<LittleEndian>>() || count > MAX_HEADERS {
        return Err(Error::HeaderSize);
    }
    if count == 0 {
        return Err(Error::NoSegments);
    }
    Ok(Header { kind, entry: header.e_entry.get(endian), table: header.e_phoff.get(endian), count })
}

/// Names what another machine's file is, as far as the header's common first part says.
fn refuse_foreign(bytes: &[u8]) -> Result<(), Error> {
    let byte = |index: usize| bytes.get(index).copied().ok_or(Error::ShortHeader);
    let (class, data, version) = (byte(4)?, byte(5)?, byte(6)?);
    let machine = [byte(18)?, byte(19)?];
    match data {
        elf::ELFDATA2LSB => {}
        elf::ELFDATA2MSB => {
            let machine = u16::from_be_bytes(machine);
            return Err(if crate::machine_name(machine).is_some() {
                Error::Machine(machine)
            } else {
                Error::BigEndian
            });
        }
        _ => return Err(Error::Damaged),
    }
    let machine = u16::from_le_bytes(machine);
    match class {
        elf::ELFCLASS64 => {}
        elf::ELFCLASS32 => return Err(Error::Bits32(machine)),
        _ => return Err(Error::Damaged),
    }
    if machine != elf::EM_X86_64 {
        return Err(Error::Machine(machine));
    }
    if version != elf::EV_CURRENT { Err(Error::Damaged) } else { Ok(()) }
}
