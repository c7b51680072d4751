//! The build id: the note by which linkers tell one build of a file from every other (NT_GNU_BUILD_ID).

use alloc::{vec, vec::Vec};

use object::{
    LittleEndian,
    elf::{self, ProgramHeader64},
    pod,
};

use crate::{ReadAt, header};

/// Bytes of a note segment that are looked at: linkers put the id among the first.
const LONGEST: u64 = 4096;

/// Bytes of the longest id. The usual one is a SHA-1 of 20.
const MOST: usize = 64;

/// The build id of an ELF file; `None` if it has none, or is no program or library for this machine.
#[must_use]
pub fn build_id(file: &mut impl ReadAt) -> Option<Vec<u8>> {
    let mut first = [0; header::SIZE];
    let header = if file.read_at(0, &mut first) { header::parse(&first).ok()? } else { return None };
    let mut table = vec![0; usize::from(header.count) * size_of::<ProgramHeader64<LittleEndian>>()];
    if !file.read_at(header.table, &mut table) {
        return None;
    }
    let (headers, _) = pod::slice_from_bytes::<ProgramHeader64<LittleEndian>>(&table, header.count.into()).ok()?;
    let notes = headers.iter().filter(|header| header.p_type.get(LittleEndian) == elf::PT_NOTE);
    notes.into_iter().find_map(|header| {
        let mut notes = vec![0; header.p_filesz.get(LittleEndian).min(LONGEST) as usize];
        let padding = if header.p_align.get(LittleEndian) == 8 { 8 } else { 4 };
        if file.read_at(header.p_offset.get(LittleEndian), &mut notes) { among(&notes, padding) } else { None }
    })
}

/// The id among notes whose parts are padded to a multiple of so many bytes.
fn among(mut notes: &[u8], padding: usize) -> Option<Vec<u8>> {
    loop {
        let word = |at: usize| notes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
        let (name, contents, kind) = (word(0)? as usize, word(4)? as usize, word(8)?);
        let start = 12_usize.checked_add(name)?.checked_next_multiple_of(padding)?;
        let end = start.checked_add(contents)?;
        if kind == elf::NT_GNU_BUILD_ID && notes.get(12..12 + name) == Some(b"GNU\0") {
            return notes.get(start..end).filter(|id| (1..=MOST).contains(&id.len())).map(<[u8]>::to_vec);
        }
        notes = notes.get(end.checked_next_multiple_of(padding)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A note of this owner and type, padded.
    fn note(owner: &[u8], kind: u32, contents: &[u8], padding: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        for word in [owner.len() as u32, contents.len() as u32, kind] {
            bytes.extend(word.to_le_bytes());
        }
        for part in [owner, contents] {
            bytes.extend(part);
            bytes.resize(bytes.len().next_multiple_of(padding), 0);
        }
        bytes
    }

    /// A library with these note segments, each with its alignment.
    fn library(segments: &[(u64, Vec<u8>)]) -> Vec<u8> {
        let mut file = vec![0; 64 + 56 * segments.len()];
        file[..7].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1, 1]);
        (file[16], file[18], file[32], file[54], file[56]) = (3, 62, 64, 56, segments.len() as u8);
        for (index, (alignment, notes)) in segments.iter().enumerate() {
            let at = 64 + 56 * index;
            let offset = file.len() as u64;
            file[at] = 4;
            file[at + 8..at + 16].copy_from_slice(&offset.to_le_bytes());
            file[at + 32..at + 40].copy_from_slice(&(notes.len() as u64).to_le_bytes());
            file[at + 48..at + 56].copy_from_slice(&alignment.to_le_bytes());
            file.extend(notes);
        }
        file
    }

    fn of(file: &[u8]) -> Option<Vec<u8>> {
        build_id(&mut |offset: u64, buffer: &mut [u8]| {
            let start = usize::try_from(offset).unwrap_or(usize::MAX);
            let part = file.get(start..).and_then(|rest| rest.get(..buffer.len()));
            part.map(|part| buffer.copy_from_slice(part)).is_some()
        })
    }

    #[test]
    fn it_is_found_behind_other_notes() {
        let property = note(b"GNU\0", 5, &[1; 12], 8);
        let foreign = note(b"Go\0\0", 3, b"not ours", 4);
        let ours = note(b"GNU\0", 3, &[0xab; 20], 4);
        let file = library(&[(8, property.clone()), (4, [foreign.clone(), ours].concat())]);
        assert_eq!(of(&file), Some(vec![0xab; 20]));
        let eight = [property, note(b"GNU\0", 3, &[7; 16], 8)].concat();
        assert_eq!(of(&library(&[(8, eight)])), Some(vec![7; 16]));
        assert_eq!(of(&library(&[(4, foreign)])), None);
        assert_eq!(of(&library(&[])), None);
        assert_eq!(of(b"#!/bin/sh"), None);
    }

    #[test]
    fn damaged_notes_have_none() {
        for id in [&[][..], &[1; MOST + 1]] {
            assert_eq!(of(&library(&[(4, note(b"GNU\0", 3, id, 4))])), None);
        }
        let whole = library(&[(4, [note(b"GNU\0", 1, b"abi", 4), note(b"GNU\0", 3, &[9; 20], 4)].concat())]);
        for length in 0..whole.len() {
            assert_eq!(of(&whole[..length]), None, "cut to {length} bytes");
        }
        // Lengths that no file has.
        for word in 0..3 {
            let mut notes = note(b"GNU\0", 3, &[9; 20], 4);
            notes[4 * word..4 * word + 4].fill(0xff);
            assert_eq!(of(&library(&[(4, notes)])), None);
        }
    }
}
