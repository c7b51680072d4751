//! Images that mke2fs makes of a tree, read back beside it, whole and damaged. Without e2fsprogs there is nothing to
//! test with.

use std::{
    boxed::Box,
    format, fs,
    io::Write,
    os::unix::fs::{MetadataExt, symlink},
    path::{Path, PathBuf},
    process::Command,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use page_cache::{Room, Stamp};
use vfs::{SliceSink, VecSink};

use super::*;

struct Enough;

impl Room for Enough {
    fn has_room(&self, _: usize) -> bool {
        true
    }
}

/// A disk in memory.
struct Bytes(Vec<u8>);

impl Backing for Bytes {
    fn read(&self, offset: u64, parts: &mut [&mut [u8]]) -> Result<usize, vfs::FileError> {
        let mut done = 0;
        for part in parts {
            let rest = self.0.get(offset as usize + done..).unwrap_or_default();
            let count = part.len().min(rest.len());
            part[..count].copy_from_slice(&rest[..count]);
            done += count;
        }
        Ok(done)
    }

    fn write(&self, _: u64, _: &[u8]) -> Result<usize, vfs::FileError> {
        unreachable!("nothing is written")
    }

    fn length(&self) -> Result<u64, vfs::FileError> {
        Ok(self.0.len() as u64)
    }

    fn set_length(&self, _: u64) -> Result<(), vfs::FileError> {
        unreachable!("nothing is written")
    }

    fn sync(&self, _: bool) -> Result<(), vfs::FileError> {
        Ok(())
    }
}

fn open(image: Vec<u8>) -> Result<Arc<dyn Node>, Unmountable> {
    open_on(Arc::new(Bytes(image)))
}

fn open_on(store: Arc<Bytes>) -> Result<Arc<dyn Node>, Unmountable> {
    let pool: &'static Pool = Box::leak(Box::new(Pool::new(&pages::Allocator, &Enough)));
    let stamp = Stamp { length: store.0.len() as u64, ..Stamp::default() };
    let store: Arc<dyn Backing> = store;
    let disk = Contents::new(pool, store.clone(), stamp);
    mount(World { device: 7, disk, store, pool })
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(std::format!("whittle-ext4-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Files of all sorts of lengths, holes, links, and a directory that needs a tree of its own.
fn tree(at: &Path) {
    fs::create_dir_all(at.join("a/b/c")).unwrap();
    fs::create_dir_all(at.join("many")).unwrap();
    for (name, length) in [("empty", 0), ("one", 1), ("block", 4096), ("some", 70_001), ("large", 3_000_000)] {
        let bytes: Vec<u8> = (0..length).map(|index: u32| (index.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        fs::write(at.join("a").join(name), bytes).unwrap();
    }
    let sparse = fs::File::create(at.join("a/sparse")).unwrap();
    sparse.set_len(900_000).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&sparse, b"in the middle", 500_000).unwrap();
    for number in 0..700 {
        fs::write(at.join("many").join(std::format!("a file with a long name {number}")), number.to_string()).unwrap();
    }
    symlink("../a/one", at.join("many/link")).unwrap();
    symlink("x".repeat(200), at.join("a/long link")).unwrap();
    fs::hard_link(at.join("a/some"), at.join("a/b/other name")).unwrap();
}

/// Says that the test which runs is skipped: past the harness, which shows nothing of a test that ends well,
/// on a line of its own among the harness' dots.
fn tell_skipped(reason: &str) {
    let thread = std::thread::current();
    let line = format!("\nskipped: test ext4::{}: {reason}\n", thread.name().unwrap_or("tests"));
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// An image of that tree; `None` if there is no mke2fs.
fn image(name: &str, options: &[&str]) -> Option<(PathBuf, Vec<u8>)> {
    let folder = folder(name);
    tree(&folder.join("tree"));
    let image = folder.join("image");
    fs::File::create(&image).unwrap().set_len(12 << 20).unwrap();
    let mut command = Command::new("mke2fs");
    command.args(["-q", "-F"]).args(options).arg("-d").arg(folder.join("tree")).arg(&image);
    match command.status() {
        Ok(status) => assert!(status.success()),
        Err(error) => {
            tell_skipped(&format!("mke2fs cannot be run ({error}); type: sudo apt-get install e2fsprogs"));
            return None;
        }
    }
    Some((folder, fs::read(image).unwrap()))
}

fn list(node: &Arc<dyn Node>) -> Vec<(Vec<u8>, u64, Kind)> {
    let mut found = Vec::new();
    let mut cursor = vfs::Cursor::default();
    // In pieces, as getdents does.
    loop {
        let before = found.len();
        node.list(&mut cursor, &mut |entry| {
            let takes = found.len() < before + 7;
            if takes {
                found.push((entry.name.to_vec(), entry.inode, entry.kind));
            }
            takes
        })
        .unwrap();
        if found.len() == before {
            return found;
        }
    }
}

/// Compares everything below.
fn compare(node: &Arc<dyn Node>, host: &Path) -> usize {
    let wanted = fs::symlink_metadata(host).unwrap();
    let metadata = node.metadata();
    assert_eq!((metadata.full_mode(), metadata.owner.user), (wanted.mode(), wanted.uid()), "{host:?}");
    if wanted.is_symlink() {
        assert_eq!(String::from_utf8_lossy(&node.read_link().unwrap()), fs::read_link(host).unwrap().to_string_lossy());
        return 1;
    }
    // The image has lost+found besides.
    let more = u64::from(host.ends_with("tree"));
    assert_eq!(u64::from(metadata.links), wanted.nlink() + more, "{host:?}");
    if wanted.is_file() {
        assert_eq!(metadata.modified / 1_000_000_000, wanted.mtime());
        let bytes = fs::read(host).unwrap();
        let mut sink = VecSink::new(bytes.len() + 1);
        assert_eq!(node.read_at(0, &mut sink), Ok(bytes.len()), "{host:?}");
        assert!(sink.bytes == bytes, "{host:?}");
        let mut inside = [0; 100];
        let count = node.read_at(bytes.len() as u64 / 2, &mut SliceSink::new(&mut inside)).unwrap();
        assert!(inside[..count] == bytes[bytes.len() / 2..][..count]);
        return 1;
    }
    let mut count = 1;
    let names: Vec<_> = list(node).into_iter().filter(|(name, ..)| name != b"lost+found").collect();
    assert_eq!(names.len(), fs::read_dir(host).unwrap().count(), "{host:?}");
    for (name, inode, kind) in names {
        let child = node.lookup(&name).unwrap();
        assert_eq!((child.metadata().inode, child.kind()), (inode, kind));
        assert!(kind != Kind::Directory || *child.place().unwrap().name == *name);
        count += compare(&child, &host.join(std::str::from_utf8(&name).unwrap()));
    }
    count
}

const FORMS: [(&str, &[&str]); 5] = [
    ("ext4", &["-t", "ext4"]),
    ("small", &["-t", "ext4", "-b", "1024", "-O", "^64bit,^has_journal"]),
    ("ext2", &["-t", "ext2", "-b", "1024"]),
    ("old", &["-t", "ext3", "-O", "^filetype", "-I", "128"]),
    ("grouped", &["-t", "ext4", "-b", "1024", "-g", "1024", "-N", "2000"]),
];

#[test]
fn images_show_the_tree_that_they_were_made_of() {
    for (name, options) in FORMS {
        let Some((folder, image)) = image(name, options) else { return };
        let root = open(image).unwrap();
        // The tree's root is the image's.
        assert!(compare(&root, &folder.join("tree")) > 700);
        assert_eq!(root.lookup(b"none").err(), Some(vfs::FileError::NotFound));
        let (one, other) = (root.lookup(b"a").unwrap(), root.lookup(b"a").unwrap());
        assert!(vfs::same(&one, &other));
        let names = (one.lookup(b"some").unwrap(), one.lookup(b"b").unwrap().lookup(b"other name").unwrap());
        assert!(vfs::same(&names.0, &names.1), "two names, one file");
        assert_eq!(names.0.set_length(0), Err(vfs::FileError::ReadOnly));
        assert_eq!(root.file_system().magic, 0xef53);
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn a_file_system_that_is_let_go_of_is_gone() {
    let Some((folder, image)) = image("gone", FORMS[0].1) else { return };
    let store = Arc::new(Bytes(image));
    let root = open_on(store.clone()).unwrap();
    let file = root.lookup(b"a").unwrap().lookup(b"some").unwrap();
    assert!(Arc::strong_count(&store) > 1);
    drop((file, root));
    assert_eq!(Arc::strong_count(&store), 1);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn images_that_cannot_be_read_say_why() {
    let Some((folder, image)) = image("refused", &["-t", "ext4"]) else { return };
    let why = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut image = image.clone();
        change(&mut image);
        open(image).err().map(|Unmountable(words)| words)
    };
    assert_eq!(why(&|_| ()), None);
    assert_eq!(why(&|image| image.truncate(6 << 20)), Some("it ends before the file system on it does"));
    assert_eq!(why(&|image| image.truncate(1500)), Some("it is too short for a file system"));
    assert_eq!(why(&|image| image[1080] = 0), Some("it is no ext2, ext3 or ext4 file system"));
    assert_eq!(why(&|image| image[1120] |= 4).unwrap().split(':').next(), Some("it was not unmounted cleanly"));
    assert_eq!(why(&|image| image[1123] |= 0x80), Some("it has a feature that is not known here"));
    assert_eq!(why(&|image| image[1064..1068].fill(0)), Some("its superblock is damaged"));
    fs::remove_dir_all(folder).unwrap();
}

/// Looks at everything that can be reached, and comes to an end.
fn wander(node: &Arc<dyn Node>, depth: usize, left: &mut usize) {
    if *left == 0 {
        return;
    }
    *left -= 1;
    let mut bytes = vec![0; 9000];
    for at in [0, 5000, 600_000, u64::from(u32::MAX) << 12, i64::MAX as u64 - 3] {
        let _ = node.read_at(at, &mut SliceSink::new(&mut bytes));
    }
    let _ = node.read_link();
    let mut names = Vec::new();
    let _ = node.list(&mut vfs::Cursor::default(), &mut |entry| {
        names.push(entry.name.to_vec());
        names.len() < 40
    });
    for name in names.iter().filter(|_| depth < 6) {
        if let Ok(child) = node.lookup(name) {
            wander(&child, depth + 1, left);
        }
    }
}

#[test]
fn damaged_images_are_survived() {
    for (name, options) in FORMS {
        let Some((folder, mut image)) = image(&std::format!("damaged-{name}"), options) else { return };
        let mut state = 0x1234_5678_9abc_u64;
        let mut number = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as usize
        };
        // What describes files is mostly in the first blocks.
        let places: Vec<usize> = (0..image.len().min(900_000)).filter(|&at| image[at] != 0).collect();
        for _ in 0..25 {
            let damaged: Vec<(usize, u8)> =
                (0..1 + number(4)).map(|_| places[number(places.len())]).map(|at| (at, image[at])).collect();
            for &(at, _) in &damaged {
                image[at] = [0, 0xff, number(256) as u8, image[at] ^ 1 << number(8)][number(4)];
            }
            if let Ok(root) = open(image.clone()) {
                wander(&root, 0, &mut 60);
            }
            damaged.into_iter().rev().for_each(|(at, byte)| image[at] = byte);
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
