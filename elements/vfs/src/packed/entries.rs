//! Finding the entries of a directory among all of an archive.

use archive::{Archive, Entry};

/// Names of ours in the archive begin so; programs do not see them.
const OURS: &[u8] = b".whittle/";

/// The parts of a path, without those that mean nothing.
pub fn parts(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|&byte| byte == b'/').filter(|part| !matches!(*part, b"" | b"."))
}

/// What an entry is to a directory.
pub struct Below {
    /// The entry.
    pub entry: Entry<'static>,
    /// The name in that directory that leads to it.
    pub name: &'static [u8],
}

/// What lies below the directory at `path` in the archive `bytes`, in the order of the archive.
pub fn below<'a>(bytes: &'static [u8], path: &'a [u8]) -> impl Iterator<Item = Below> + 'a {
    visible(bytes).filter_map(move |entry| {
        let mut inner = parts(entry.name);
        if !parts(path).all(|part| inner.next() == Some(part)) {
            return None;
        }
        Some(Below { entry, name: inner.next()? })
    })
}

/// The entry at exactly `path`: the last one, as it is when an archive is unpacked.
pub fn at(bytes: &'static [u8], path: &[u8]) -> Option<Entry<'static>> {
    visible(bytes).filter(|entry| parts(entry.name).eq(parts(path))).last()
}

/// Where the contents stand of a file with several names, which share the number `inode`: with one of them.
pub fn with_contents(bytes: &'static [u8], inode: u32) -> Option<Entry<'static>> {
    visible(bytes).find(|entry| entry.inode == inode && !entry.contents.is_empty())
}

fn visible(bytes: &'static [u8]) -> impl Iterator<Item = Entry<'static>> {
    // An archive that ends in an error was refused as a whole.
    let entries = Archive::new(bytes).entries().map_while(Result::ok);
    entries.filter(|entry| !entry.name.starts_with(OURS) && parts(entry.name).all(|part| part != b".."))
}
