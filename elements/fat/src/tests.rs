//! Images that mkfs.vfat makes, changed here at random beside a model, then read by mtools and checked by fsck.vfat;
//! and damaged ones. Without dosfstools and mtools there is nothing to test with.

use std::{
    boxed::Box,
    collections::BTreeMap,
    format, fs,
    io::Write,
    path::PathBuf,
    process::Command,
    string::{String, ToString},
    sync::Mutex as StdMutex,
    vec,
    vec::Vec,
};

use page_cache::{Room, Stamp};
use pages::Allocator;
use vfs::{Creation, Cursor, FileError, Kind, MakeKind, Removal, RenameMode, SliceSink, SliceSource, VecSink};

use super::*;

struct Enough;

impl Room for Enough {
    fn has_room(&self, _: usize) -> bool {
        true
    }
}

/// A disk in memory.
struct Bytes(StdMutex<Vec<u8>>);

impl Backing for Bytes {
    fn read(&self, offset: u64, parts: &mut [&mut [u8]]) -> Result<usize, FileError> {
        let bytes = self.0.lock().unwrap();
        let mut done = 0;
        for part in parts {
            let rest = bytes.get(offset as usize + done..).unwrap_or_default();
            let count = part.len().min(rest.len());
            part[..count].copy_from_slice(&rest[..count]);
            done += count;
        }
        Ok(done)
    }

    fn write(&self, offset: u64, new: &[u8]) -> Result<usize, FileError> {
        let bytes = &mut *self.0.lock().unwrap();
        let place = bytes.get_mut(offset as usize..offset as usize + new.len()).ok_or(FileError::NoSpace)?;
        place.copy_from_slice(new);
        Ok(new.len())
    }

    fn length(&self) -> Result<u64, FileError> {
        Ok(self.0.lock().unwrap().len() as u64)
    }

    fn set_length(&self, _: u64) -> Result<(), FileError> {
        Err(FileError::Invalid)
    }

    fn sync(&self, _: bool) -> Result<(), FileError> {
        Ok(())
    }
}

fn pool() -> &'static Pool {
    Box::leak(Box::new(Pool::new(&Allocator, &Enough)))
}

fn open(image: Vec<u8>) -> (Arc<Bytes>, Result<Arc<dyn Node>, Unmountable>) {
    let stamp = Stamp { length: image.len() as u64, ..Stamp::default() };
    let bytes = Arc::new(Bytes(StdMutex::new(image)));
    let store: Arc<dyn Backing> = bytes.clone();
    let disk = Contents::new(pool(), store.clone(), stamp);
    let owner = Owner { user: 1, group: 2 };
    let now = || 1_700_000_000_000_000_000;
    let world = World { device: 9, owner, read_only: false, now, disk, store, pool: pool() };
    (bytes, mount(world))
}

/// Says that the test which runs is skipped: past the harness, which shows nothing of a test that ends well,
/// on a line of its own among the harness' dots.
fn tell_skipped(reason: &str) {
    let thread = std::thread::current();
    let line = format!("\nskipped: test fat::{}: {reason}\n", thread.name().unwrap_or("tests"));
    let _ = std::io::stderr().write_all(line.as_bytes());
}

struct Image {
    folder: PathBuf,
    file: PathBuf,
}

impl Image {
    /// An empty one; `None` if there is no mkfs.vfat.
    fn make(name: &str, megabytes: u64, options: &[&str]) -> Option<Self> {
        let folder = std::env::temp_dir().join(format!("whittle-fat-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("image");
        fs::File::create(&file).unwrap().set_len(megabytes << 20).unwrap();
        match Command::new("mkfs.vfat").args(options).arg(&file).output() {
            Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
            Err(error) => {
                tell_skipped(&format!(
                    "mkfs.vfat cannot be run ({error}); type: sudo apt-get install dosfstools mtools"
                ));
                return None;
            }
        }
        Some(Self { folder, file })
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.file).unwrap()
    }

    /// Writes it back, has it checked, and reads a file by mtools.
    fn check(&self, bytes: &[u8]) {
        fs::write(&self.file, bytes).unwrap();
        let output = Command::new("fsck.vfat").arg("-n").arg(&self.file).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }

    fn read(&self, path: &str) -> Vec<u8> {
        let output = Command::new("mtype").arg("-i").arg(&self.file).arg(format!("::{path}")).output().unwrap();
        assert!(output.status.success(), "{path}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

const FORMS: [(&str, u64, &[&str]); 4] = [
    ("fat12", 4, &["-F", "12"]),
    ("fat16", 16, &["-F", "16"]),
    ("fat32", 40, &["-F", "32", "-s", "1"]),
    ("large-clusters", 40, &["-F", "16", "-s", "16"]),
];

fn create(at: &Arc<dyn Node>, name: &str, kind: MakeKind<'_>) -> Result<Arc<dyn Node>, FileError> {
    at.create(name.as_bytes(), &Creation { kind, mode: 0o644, owner: Owner::default() })
}

fn read(node: &Arc<dyn Node>) -> Vec<u8> {
    let mut sink = VecSink::new(node.metadata().size as usize + 1);
    node.read_at(0, &mut sink).unwrap();
    sink.bytes
}

fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    }
}

/// Changes files of two directories at random; the model is what they hold.
fn change(root: &Arc<dyn Node>, rounds: usize) -> BTreeMap<String, Vec<u8>> {
    let folders = ["", "A directory with a long name/"];
    let below = create(root, folders[1].trim_end_matches('/'), MakeKind::Directory).unwrap();
    let of = |folder: usize| if folder == 0 { root } else { &below };
    let mut model: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut number = numbers(0x2545_f491_4f6c_dd1d);
    for round in 0..rounds {
        let (folder, other) = (number(2), number(2));
        let name =
            |number: usize| format!("{} {number}.Text", if number < 4 { "x" } else { "a longer name than eight" });
        let (short, new) = (name(number(8)), name(number(8)));
        let path = format!("{}{short}", folders[folder]);
        let node = of(folder).lookup(short.as_bytes());
        assert_eq!(node.is_ok(), model.contains_key(&path), "{path}");
        match (number(7), node) {
            (0..3, node) => {
                let node = node.unwrap_or_else(|_| create(of(folder), &short, MakeKind::File).unwrap());
                let held = model.entry(path).or_default();
                let at = number(held.len() + 3000);
                let bytes = vec![round as u8; 1 + number(20_000)];
                assert_eq!(node.write_at(at as u64, &mut SliceSource::new(&bytes)), Ok(bytes.len()));
                held.resize(held.len().max(at + bytes.len()), 0);
                held[at..at + bytes.len()].copy_from_slice(&bytes);
                assert!(read(&node) == *held);
            }
            (3, Ok(node)) => {
                let held = model.get_mut(&path).unwrap();
                let length = number(held.len() + 5000);
                node.set_length(length as u64).unwrap();
                held.resize(length, 0);
            }
            (4, Ok(node)) => {
                let kept = if number(2) == 0 { Some(node) } else { None };
                of(folder).remove(short.as_bytes(), Removal::File).unwrap();
                let held = model.remove(&path).unwrap();
                // It lives on while it is open.
                if let Some(node) = kept {
                    assert!(read(&node) == held && node.metadata().links == 0);
                    node.append(&mut SliceSource::new(b"more")).unwrap();
                }
            }
            (5, Ok(_)) => {
                of(folder).rename(short.as_bytes(), of(other), new.as_bytes(), RenameMode::Replace).unwrap();
                let held = model.remove(&path).unwrap();
                model.insert(format!("{}{new}", folders[other]), held);
            }
            (_, Ok(node)) => {
                assert!(read(&node) == model[&path]);
                node.sync(true).unwrap();
            }
            (_, Err(error)) => assert_eq!(error, FileError::NotFound),
        }
    }
    model
}

fn list(node: &Arc<dyn Node>) -> Vec<(String, Kind)> {
    let mut found = Vec::new();
    let mut cursor = Cursor::default();
    loop {
        let before = found.len();
        node.list(&mut cursor, &mut |entry| {
            let takes = found.len() < before + 3;
            if takes {
                found.push((String::from_utf8_lossy(entry.name).to_string(), entry.kind));
            }
            takes
        })
        .unwrap();
        if found.len() == before {
            return found;
        }
    }
}

#[test]
fn what_is_written_is_read_by_others() {
    for (name, megabytes, options) in FORMS {
        let Some(image) = Image::make(name, megabytes, options) else { return };
        let (bytes, root) = open(image.bytes());
        let root = root.unwrap();
        let model = change(&root, 300);
        let count = list(&root).len() - 1 + list(&root.lookup(b"a directory WITH a long name").unwrap()).len();
        assert_eq!(count, model.len());
        root.sync(true).unwrap();
        image.check(&bytes.0.lock().unwrap());
        for (path, held) in &model {
            assert!(image.read(path) == *held, "{name}: {path}");
        }
    }
}

#[test]
fn errors_are_those_of_linux() {
    let Some(image) = Image::make("errors", 4, &["-F", "12"]) else { return };
    let root = open(image.bytes()).1.unwrap();
    let one = create(&root, "one", MakeKind::Directory).unwrap();
    let two = create(&one, "two", MakeKind::Directory).unwrap();
    let file = create(&root, "file", MakeKind::File).unwrap();
    let moved = |from: &Arc<dyn Node>, name: &str, to: &Arc<dyn Node>, new: &str| {
        from.rename(name.as_bytes(), to, new.as_bytes(), RenameMode::Replace)
    };
    assert_eq!(moved(&root, "one", &two, "x"), Err(FileError::Invalid));
    assert_eq!(moved(&root, "one", &root, "file"), Err(FileError::NotDirectory));
    assert_eq!(moved(&root, "file", &root, "one"), Err(FileError::IsDirectory));
    assert_eq!(root.remove(b"one", Removal::Directory), Err(FileError::NotEmpty));
    assert_eq!(root.remove(b"file", Removal::Directory), Err(FileError::NotDirectory));
    assert_eq!(root.remove(b"one", Removal::File), Err(FileError::IsDirectory));
    assert_eq!(create(&root, "FILE", MakeKind::File).err(), Some(FileError::Exists));
    assert_eq!(create(&root, "link", MakeKind::Link(b"file")).err(), Some(FileError::NotPermitted));
    assert_eq!(create(&root, "a:b", MakeKind::File).err(), Some(FileError::Invalid));
    assert_eq!(root.link(b"other", &file), Err(FileError::NotPermitted));
    assert_eq!(root.lookup(b"none").err(), Some(FileError::NotFound));
    assert_eq!(file.lookup(b"x").err(), Some(FileError::NotDirectory));
    let changed = |mode| file.change(&vfs::Change { mode: Some(mode), ..vfs::Change::default() });
    assert_eq!((changed(0o600), changed(0o555), file.metadata().mode), (Err(FileError::NotPermitted), Ok(()), 0o555));
    assert_eq!((changed(0o755), file.metadata().mode), (Ok(()), 0o755));
    let time = vfs::Change { modified: Some(1_600_000_000_000_000_000), ..vfs::Change::default() };
    assert_eq!((file.change(&time), file.metadata().modified), (Ok(()), 1_600_000_000_000_000_000));
    assert_eq!(file.metadata().owner, Owner { user: 1, group: 2 });
    let large = vec![7; 8 << 20];
    let written = file.write_at(0, &mut SliceSource::new(&large));
    assert!(written.is_ok_and(|count| count < 4 << 20), "a full disk takes what there is room for");
    assert_eq!(file.write_at(4 << 20, &mut SliceSource::new(&large)), Err(FileError::NoSpace));
    file.set_length(0).unwrap();
    assert_eq!(file.write_at(0, &mut SliceSource::new(&large[..1 << 20])), Ok(1 << 20));
    moved(&root, "file", &one, "File").unwrap();
    assert_eq!(list(&one), [("two".to_string(), Kind::Directory), ("File".to_string(), Kind::Regular)]);
    assert!(*one.place().unwrap().name == b"one"[..]);
}

#[test]
fn images_that_cannot_be_read_say_why() {
    let Some(image) = Image::make("refused", 16, &["-F", "16"]) else { return };
    let mut bytes = image.bytes();
    bytes.truncate(1 << 20);
    assert!(open(bytes).1.is_err_and(|Unmountable(words)| words.contains("ends before")));
    assert!(open(vec![0; 4096]).1.is_err_and(|Unmountable(words)| words == "it is no FAT file system"));
    assert!(open(vec![0; 100]).1.is_err());
}

/// Looks at what can be reached and changes it, and comes to an end.
fn wander(node: &Arc<dyn Node>, depth: usize, left: &mut usize) {
    if *left == 0 {
        return;
    }
    *left -= 1;
    let mut bytes = vec![0; 9000];
    for at in [0, 5000, u64::from(u32::MAX) - 5, i64::MAX as u64 - 3] {
        let _ = node.read_at(at, &mut SliceSink::new(&mut bytes));
    }
    if node.kind() == Kind::Regular {
        let _ = (node.write_at(3000, &mut SliceSource::new(&bytes)), node.set_length(10));
    }
    let mut names = Vec::new();
    let _ = node.list(&mut Cursor::default(), &mut |entry| {
        names.push(entry.name.to_vec());
        names.len() < 20
    });
    if depth < 5 && node.kind() == Kind::Directory {
        for name in &names {
            if let Ok(child) = node.lookup(name) {
                wander(&child, depth + 1, left);
            }
        }
        if let Ok(made) = create(node, "made here", MakeKind::File) {
            let _ = made.append(&mut SliceSource::new(&bytes));
            let _ = node.rename(b"made here", node, b"other name", RenameMode::Replace);
        }
        if let Some(name) = names.first() {
            let _ = node.remove(name, Removal::File);
            let _ = node.remove(name, Removal::Directory);
        }
    }
    let _ = node.sync(true);
}

#[test]
fn damaged_images_are_survived() {
    for (name, megabytes, options) in &FORMS[..3] {
        let Some(image) = Image::make(&format!("damaged-{name}"), *megabytes, options) else { return };
        let (bytes, root) = open(image.bytes());
        change(root.as_ref().unwrap(), 60);
        root.unwrap().sync(true).unwrap();
        let good = bytes.0.lock().unwrap().clone();
        let places: Vec<usize> = (0..good.len().min(1 << 20)).filter(|&at| good[at] != 0).collect();
        let mut number = numbers(0x1234_5678_9abc);
        for _ in 0..40 {
            let mut image = good.clone();
            for _ in 0..1 + number(4) {
                let at = places[number(places.len())];
                image[at] = [0, 0xff, number(256) as u8, image[at] ^ 1 << number(8)][number(4)];
            }
            if let Ok(root) = open(image).1 {
                wander(&root, 0, &mut 40);
            }
        }
    }
}
