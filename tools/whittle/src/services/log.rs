//! What a machine in the background prints. The folder that it lies in is memory of the host's mostly, so that only the
//! end of it is kept: the beginning becomes a hole in the file (fallocate(2)), and positions stay what they are.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::{FallocateFlags, fallocate, seek};

/// The file's name in a machine's folder.
pub const FILE: &str = "log";
/// Bytes that are kept at the least.
const KEPT: u64 = 16 << 20;
/// File systems make holes of such pieces.
const PIECE: u64 = 4096;
/// What `stat` counts a file's blocks in (stat(2)).
const BLOCK: u64 = 512;

/// Makes the file, or goes on behind what is in it.
pub fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}

/// Gives the beginning's memory back, if the file takes more than twice what is kept; whether it did.
pub fn shorten(file: &File) -> io::Result<bool> {
    shorten_to(file, KEPT)
}

fn shorten_to(file: &File, kept: u64) -> io::Result<bool> {
    let found = file.metadata()?;
    if found.blocks().saturating_mul(BLOCK) <= 2 * kept {
        return Ok(false);
    }
    let gone = found.len().saturating_sub(kept) / PIECE * PIECE;
    if gone > 0 {
        fallocate(file, FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE, 0, gone)?;
    }
    Ok(true)
}

/// The file from the first whole line that is still there.
pub fn read(path: &Path) -> io::Result<BufReader<File>> {
    let file = File::open(path)?;
    let data = seek(&file, rustix::fs::SeekFrom::Data(0)).unwrap_or(0);
    let mut reader = BufReader::new(file);
    reader.seek(SeekFrom::Start(data))?;
    if data > 0 {
        reader.skip_until(b'\n')?;
    }
    Ok(reader)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;
    use std::io::{Read, Write};

    #[test]
    fn the_end_of_it_is_kept_from_a_whole_line_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut file = open(&path).unwrap();
        let mut all = String::new();
        for number in 0..20_000 {
            writeln!(all, "line {number}").unwrap();
        }
        file.write_all(all.as_bytes()).unwrap();
        let read = || {
            let mut text = String::new();
            super::read(&path).unwrap().read_to_string(&mut text).unwrap();
            text
        };
        assert!(!shorten(&file).unwrap());
        assert_eq!(read(), all, "it is short enough");
        assert!(shorten_to(&file, 16 << 10).unwrap());
        let kept = read();
        assert!(kept.starts_with("line ") && all.ends_with(&kept), "{}", &kept[..40]);
        assert!((16 << 10..40 << 10).contains(&kept.len()), "{}", kept.len());
        file.write_all(b"more\n").unwrap();
        assert_eq!(read(), kept + "more\n");
    }
}
