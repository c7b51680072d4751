//! Writing the tree as a boot archive into a file in memory.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use archive::{DIRECTORY, Head, HeadError, LINK, PAGE, REGULAR, trailer};
use rustix::fs::{MemfdFlags, memfd_create, sendfile};
use rustix::io::Errno;

use crate::failure::{Doing, Failure};
use crate::pack::tree::{Entry, Kind, Tree};

static ZEROS: [u8; PAGE] = [0; PAGE];

/// Bytes that [`write`] will write, at most.
#[must_use]
pub fn length(tree: &Tree, launch: &[u8]) -> u64 {
    let contents = tree.entries().map(|(path, entry)| match &entry.kind {
        Kind::File(_, length) => pages(*length) + pages(1),
        Kind::Contents(bytes) => pages(bytes.len() as u64) + pages(1),
        Kind::Directory | Kind::Link(_) => 128 + path.as_os_str().len() as u64,
    });
    contents.sum::<u64>() + pages(launch.len() as u64) + pages(2 * PAGE as u64)
}

const fn pages(length: u64) -> u64 {
    length.next_multiple_of(PAGE as u64)
}

/// A file in memory, closed on exec.
fn memory_file() -> Result<File, Failure> {
    memfd_create(c"whittle-archive", MemfdFlags::CLOEXEC).map(File::from).doing("make a file in memory")
}

/// A file in memory with these bytes.
pub fn in_memory(bytes: &[u8]) -> Result<File, Failure> {
    let mut file = memory_file()?;
    file.write_all(bytes).doing("fill a file in memory")?;
    Ok(file)
}

/// Packs the launch record and the tree. The file is at its start and closed on exec.
pub fn write(tree: &Tree, launch: &[u8]) -> Result<File, Failure> {
    let mut writer = Writer { file: BufWriter::with_capacity(64 << 10, memory_file()?), at: 0, inode: 0 };
    let record = Entry { kind: Kind::Contents(launch.to_vec()), ..Entry::directory(0o400) };
    writer.entry(Path::new("/").join(launch::ARCHIVE_NAME).as_path(), &record)?;
    for (path, entry) in tree.entries() {
        writer.entry(path, entry)?;
    }
    writer.end().doing("pack the program")
}

struct Writer {
    file: BufWriter<File>,
    /// Bytes written.
    at: u64,
    inode: u32,
}

impl Writer {
    fn entry(&mut self, path: &Path, entry: &Entry) -> Result<(), Failure> {
        let (kind, bytes) = match &entry.kind {
            Kind::File(host, _) => return self.file(path, entry, host),
            Kind::Directory => (DIRECTORY, &[][..]),
            Kind::Link(target) => (LINK, &target[..]),
            Kind::Contents(bytes) => (REGULAR, &bytes[..]),
        };
        let doing = || format!("pack {}", path.display());
        let padding = self.head(path, entry, kind, bytes.len() as u64).doing(doing())?;
        self.bytes(bytes).and_then(|()| self.bytes(padding)).doing(doing())
    }

    fn file(&mut self, path: &Path, entry: &Entry, host: &Path) -> Result<(), Failure> {
        let doing = || format!("read {}", host.display());
        let mut source = File::open(host).doing(doing())?;
        // The length counts as it is now: the file may have changed since it was met.
        let length = source.metadata().doing(doing())?.len();
        let padding = self.head(path, entry, REGULAR, length).doing(format!("pack {}", path.display()))?;
        self.file.flush().doing(doing())?;
        let copied = copy(&mut source, self.file.get_mut(), length).doing(doing())?;
        if copied != length {
            return Err(Failure::ours(format!("{} became shorter while it was read", host.display())));
        }
        self.at += length;
        self.bytes(padding).doing(doing())
    }

    /// Writes an entry's header; returns the zeros to write behind its contents.
    fn head(&mut self, path: &Path, entry: &Entry, kind: u32, size: u64) -> io::Result<&'static [u8]> {
        self.inode += 1;
        let head = Head {
            name: path.as_os_str().as_bytes().strip_prefix(b"/").unwrap_or_default(),
            inode: self.inode,
            mode: kind | entry.mode,
            user: entry.user,
            group: entry.group,
            modified: u32::try_from(entry.modified.max(0)).unwrap_or(u32::MAX),
            size,
            device: (0, 0),
        };
        let mut bytes = Vec::with_capacity(256);
        head.write(self.at, &mut |part| bytes.extend_from_slice(part)).map_err(|error| match error {
            HeadError::TooLarge => io::Error::other("a boot archive holds files of less than 4 GB"),
            HeadError::BadName => io::Error::other("its name is empty or holds a NUL byte"),
        })?;
        self.bytes(&bytes)?;
        Ok(&ZEROS[..head.padding()])
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.at += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    fn end(mut self) -> io::Result<File> {
        let mut bytes = Vec::with_capacity(PAGE);
        trailer(self.at, &mut |part| bytes.extend_from_slice(part));
        self.bytes(&bytes)?;
        let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    }
}

/// Copies at most `length` bytes inside the host kernel; by hand where it cannot (sendfile(2)).
fn copy(source: &mut File, target: &mut File, length: u64) -> io::Result<u64> {
    let mut copied = 0;
    while copied < length {
        let wish = usize::try_from(length - copied).unwrap_or(usize::MAX).min(1 << 30);
        match sendfile(&mut *target, &mut *source, None, wish) {
            Ok(0) => break,
            Ok(count) => copied += count as u64,
            Err(Errno::INTR) => {}
            Err(Errno::INVAL | Errno::NOSYS) if copied == 0 => return io::copy(&mut source.take(length), target),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(copied)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn contents_lie_on_pages() {
        let folder = tempfile::tempdir().unwrap();
        let large = folder.path().join("large");
        let contents: Vec<u8> = (0..300_000_u32).map(|number| number as u8).collect();
        fs::write(&large, &contents).unwrap();
        let mut tree = Tree::default();
        let entry = |kind| Entry { kind, ..Entry::directory(0o755) };
        tree.put(Path::new("/a/large"), entry(Kind::File(large, 300_000))).unwrap();
        tree.put(Path::new("/a/link"), entry(Kind::Link(b"large".to_vec()))).unwrap();
        tree.put(Path::new("/a/empty"), entry(Kind::Contents(Vec::new()))).unwrap();
        let launch = b"program=/a/large\0";
        let mut bytes = Vec::new();
        write(&tree, launch).unwrap().read_to_end(&mut bytes).unwrap();
        assert!(bytes.len() as u64 <= length(&tree, launch));
        let place = bytes.windows(64).position(|window| window == &contents[..64]).unwrap();
        assert_eq!(place % PAGE, 0);
        assert_eq!(&bytes[place..place + contents.len()], contents);
        assert_eq!(&bytes[PAGE..][..launch.len()], launch);
    }

    #[test]
    fn a_file_that_went_away_is_a_sentence() {
        let mut tree = Tree::default();
        let entry = Entry { kind: Kind::File("/no/such".into(), 3), ..Entry::directory(0o755) };
        tree.put(Path::new("/x"), entry).unwrap();
        assert_eq!(write(&tree, b"").unwrap_err().sentence, "cannot read /no/such: no such file or directory");
    }
}
