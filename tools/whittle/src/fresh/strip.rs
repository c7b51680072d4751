//! Dropping what is not loaded from a linked file: symbols, debugging information, section headers.
//!
//! Loaders read segments only, and linkers write all else behind them, so it is enough to forget the section headers
//! and cut the file. The unstripped file stays beside it for names in backtraces.

/// Why a file cannot be stripped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StripError {
    /// No 64-bit little-endian ELF file.
    #[error("it is no 64-bit ELF file")]
    NotElf,
    /// A header points outside the file.
    #[error("its headers point outside of it")]
    Truncated,
}

/// The loaded part of an ELF file (offsets from the ELF-64 object file format, figures 2 and 6).
pub fn strip(mut file: Vec<u8>) -> Result<Vec<u8>, StripError> {
    if file.len() < 64 || file[..6] != *b"\x7fELF\x02\x01" {
        return Err(StripError::NotElf);
    }
    let half = |at: usize| u16::from_le_bytes([file[at], file[at + 1]]) as usize;
    let headers = word(&file, 32).ok_or(StripError::Truncated)?;
    let (size, count) = (half(54), half(56));
    let table = count.checked_mul(size).and_then(|length| headers.checked_add(length)).ok_or(StripError::Truncated)?;
    let mut end = table.max(64);
    for index in 0..count {
        let header = headers + index * size;
        let offset = word(&file, header + 8).ok_or(StripError::Truncated)?;
        let length = word(&file, header + 32).ok_or(StripError::Truncated)?;
        // What is only zeros in memory takes nothing of the file, wherever its header says it lies.
        if length > 0 {
            end = end.max(offset.checked_add(length).ok_or(StripError::Truncated)?);
        }
    }
    if end > file.len() {
        return Err(StripError::Truncated);
    }
    file.truncate(end);
    file[40..48].fill(0); // e_shoff
    file[58..64].fill(0); // e_shentsize, e_shnum, e_shstrndx
    Ok(file)
}

/// The first physical address behind everything that an ELF file's headers, at the start of `file`, have loaded.
#[must_use]
pub fn loaded_end(file: &[u8]) -> Option<u64> {
    const LOAD: u32 = 1;
    let half = |at: usize| Some(usize::from(u16::from_le_bytes(file.get(at..at + 2)?.try_into().ok()?)));
    let (headers, size, count) = (word(file, 32)?, half(54)?, half(56)?);
    let mut end = None;
    for index in 0..count {
        let header = headers.checked_add(index.checked_mul(size)?)?;
        let kind = file.get(header..header.checked_add(4)?)?;
        if kind == LOAD.to_le_bytes() {
            let behind = word(file, header + 24)?.checked_add(word(file, header + 40)?)?;
            end = end.max(Some(behind as u64));
        }
    }
    end
}

fn word(file: &[u8], at: usize) -> Option<usize> {
    let bytes = file.get(at..at.checked_add(8)?)?;
    usize::try_from(u64::from_le_bytes(bytes.try_into().ok()?)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stripped_program_still_runs() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let whole = std::fs::read("/bin/true").unwrap();
        let stripped = strip(whole.clone()).unwrap();
        assert!(stripped.len() <= whole.len());
        let path = folder.path().join("true");
        std::fs::write(&path, stripped).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        assert!(std::process::Command::new(path).status().unwrap().success());
    }

    #[test]
    fn the_end_in_memory_is_the_highest() {
        let mut file = vec![0; 64 + 3 * 56];
        file[32..40].copy_from_slice(&64_u64.to_le_bytes());
        file[54..58].copy_from_slice(&[56, 0, 3, 0]);
        for (index, (kind, address, length)) in
            [(1_u32, 0x10_0000_u64, 0x100_u64), (1, 0x10_1000, 7), (4, 1 << 40, 1)].into_iter().enumerate()
        {
            let header = 64 + 56 * index;
            file[header..header + 4].copy_from_slice(&kind.to_le_bytes());
            file[header + 24..header + 32].copy_from_slice(&address.to_le_bytes());
            file[header + 40..header + 48].copy_from_slice(&length.to_le_bytes());
        }
        assert_eq!(loaded_end(&file), Some(0x10_1007));
        assert_eq!(loaded_end(&file[..100]), None);
    }

    #[test]
    fn damaged_files_are_refused() {
        let whole = std::fs::read("/bin/true").unwrap();
        assert_eq!(strip(Vec::new()), Err(StripError::NotElf));
        assert_eq!(strip(b"#!/bin/sh\n".repeat(10)), Err(StripError::NotElf));
        assert_eq!(strip(whole[..100].to_vec()), Err(StripError::Truncated));
        let mut hostile = whole;
        hostile[32..40].fill(0xff);
        assert_eq!(strip(hostile), Err(StripError::Truncated));
    }
}
