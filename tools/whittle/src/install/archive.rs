//! Everything as one compressed archive that runs from wherever it is unpacked.

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, EntryType, Header};

use super::layout::Entry;
use crate::failure::{Doing, Failure};

/// The version, as the command says it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The archive's name and its bytes.
pub fn archive(entries: &[Entry]) -> Result<(String, Vec<u8>), Failure> {
    let top = format!("whittle-{VERSION}");
    Ok((format!("{top}-x86_64-linux.tar.gz"), packed(entries, Path::new(&top))?))
}

/// The entries below a folder, as tar(5) compressed by gzip. The same entries give the same bytes.
pub fn packed(entries: &[Entry], top: &Path) -> Result<Vec<u8>, Failure> {
    let mut archive = Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    let mut folders: Vec<&Path> = entries.iter().flat_map(|entry| entry.path.ancestors().skip(1)).collect();
    folders.sort_unstable();
    folders.dedup();
    for folder in folders {
        append(&mut archive, &top.join(folder), EntryType::Directory, 0o755, &[])?;
    }
    for entry in entries {
        append(&mut archive, &top.join(&entry.path), EntryType::Regular, entry.mode, &entry.content.bytes()?)?;
    }
    archive.into_inner().and_then(GzEncoder::finish).doing("pack the archive")
}

fn append(
    archive: &mut Builder<impl Write>,
    path: &Path,
    kind: EntryType,
    mode: u32,
    bytes: &[u8],
) -> Result<(), Failure> {
    let mut header = header(kind, mode, bytes.len() as u64);
    archive.append_data(&mut header, path, bytes).doing(format!("pack {}", path.display()))
}

fn header(kind: EntryType, mode: u32, bytes: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_size(bytes);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    header
}
