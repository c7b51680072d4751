//! Putting a program's archive into an image that is linked already.
//!
//! The archive goes behind the image, on a page boundary of the file; two words of the image's data, at the symbol
//! [`PLACE`], say where. On pc a program header that the linker script left free has the loader bring it into memory
//! behind the image, and the words hold its physical address; on process they hold its offset in the file.

use object::read::elf::{ElfFile64, FileHeader, ProgramHeader};
use object::{LittleEndian, Object, ObjectSymbol, elf};

use crate::failure::Failure;
use crate::fresh::loaded_end;

/// The words' symbol, see `platforms/*/src`.
const PLACE: &str = "whittle_archive_place";
/// The archive's alignment in file and memory.
const PAGE: usize = 4096;
/// Bytes of a program header, and where its fields are (ELF-64 object file format, figure 6).
const HEADER: usize = 56;

/// The stripped `image` with the archive in it; `whole` is the same image with symbols.
pub fn embed(mut image: Vec<u8>, whole: &[u8], archive: &[u8]) -> Result<Vec<u8>, Failure> {
    let wrong = || Failure::ours("this image has no place for a program's archive");
    let file = ElfFile64::<LittleEndian>::parse(whole).map_err(|_| wrong())?;
    let symbol = file.symbols().find(|symbol| symbol.name() == Ok(PLACE)).ok_or_else(wrong)?;
    let place = offset_of(&file, symbol.address()).filter(|&place| place + 16 <= image.len()).ok_or_else(wrong)?;
    let offset = image.len().next_multiple_of(PAGE);
    let address = match free_header(&file) {
        None => offset,
        Some(header) => {
            let load = loaded_end(&image).ok_or_else(wrong)?.next_multiple_of(PAGE as u64);
            let length = archive.len() as u64;
            let words = [offset as u64, load, load, length, length, PAGE as u64];
            let bytes = image.get_mut(header..header + HEADER).ok_or_else(wrong)?;
            bytes[..4].copy_from_slice(&elf::PT_LOAD.0.to_le_bytes());
            bytes[4..8].copy_from_slice(&elf::PF_R.0.to_le_bytes());
            for (field, word) in bytes[8..].chunks_exact_mut(8).zip(words) {
                field.copy_from_slice(&word.to_le_bytes());
            }
            load as usize
        }
    };
    image[place..place + 8].copy_from_slice(&(address as u64).to_le_bytes());
    image[place + 8..place + 16].copy_from_slice(&(archive.len() as u64).to_le_bytes());
    image.resize(offset, 0);
    image.extend_from_slice(archive);
    Ok(image)
}

/// Where the file holds what is loaded at `address`.
fn offset_of(file: &ElfFile64<'_, LittleEndian>, address: u64) -> Option<usize> {
    let endian = LittleEndian;
    file.elf_program_headers().iter().filter(|header| header.p_type(endian) == elf::PT_LOAD).find_map(|header| {
        let inside = address.checked_sub(header.p_vaddr(endian)).filter(|&at| at + 16 <= header.p_filesz(endian))?;
        usize::try_from(header.p_offset(endian) + inside).ok()
    })
}

/// Where the file has a program header that stands for nothing.
fn free_header(file: &ElfFile64<'_, LittleEndian>) -> Option<usize> {
    let endian = LittleEndian;
    let index = file.elf_program_headers().iter().position(|header| header.p_type(endian) == elf::PT_NULL)?;
    Some(usize::try_from(file.elf_header().e_phoff(endian)).ok()? + index * HEADER)
}
