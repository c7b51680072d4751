//! An image of FAT with any bytes, read and changed: whatever they say, each call ends.
#![no_main]

use std::sync::{Arc, Mutex, OnceLock};

use fat::{World, mount};
use libfuzzer_sys::fuzz_target;
use page_cache::{Backing, Contents, Pool, Room, Stamp};
use vfs::{Creation, Cursor, FileError, Kind, MakeKind, Node, Owner, Removal, RenameMode, SliceSink, SliceSource};

struct Image(Mutex<Vec<u8>>);

impl Backing for Image {
    fn read(&self, offset: u64, parts: &mut [&mut [u8]]) -> Result<usize, FileError> {
        let bytes = self.0.lock().unwrap();
        let mut rest = bytes.get(usize::try_from(offset).unwrap()..).unwrap_or_default();
        let mut done = 0;
        for part in parts {
            let (first, behind) = rest.split_at(part.len().min(rest.len()));
            part[..first.len()].copy_from_slice(first);
            (done, rest) = (done + first.len(), behind);
        }
        Ok(done)
    }

    fn write(&self, offset: u64, new: &[u8]) -> Result<usize, FileError> {
        let mut bytes = self.0.lock().unwrap();
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

struct Enough;

impl Room for Enough {
    fn has_room(&self, _: usize) -> bool {
        true
    }
}

fn wander(node: &Arc<dyn Node>, depth: usize, left: &mut usize) {
    *left = left.saturating_sub(1);
    let mut bytes = [7; 3000];
    for at in [0, 5000, u64::from(u32::MAX) - 5, i64::MAX as u64 - 5] {
        let _ = node.read_at(at, &mut SliceSink::new(&mut bytes));
    }
    if node.kind() == Kind::Regular {
        let _ = (node.write_at(1000, &mut SliceSource::new(&bytes)), node.set_length(10), node.sync(true));
        return;
    }
    let mut names = Vec::new();
    let _ = node.list(&mut Cursor::default(), &mut |entry| {
        names.push(entry.name.to_vec());
        names.len() < 10
    });
    for name in names.iter().filter(|_| depth < 4) {
        if let Some(child) = node.lookup(name).ok().filter(|_| *left > 0) {
            wander(&child, depth + 1, left);
        }
    }
    let made = Creation { kind: MakeKind::File, mode: 0o644, owner: Owner::default() };
    if let Ok(made) = node.create(b"a name of more than eight", &made) {
        let _ = (made.append(&mut SliceSource::new(&bytes)), made.sync(true));
        let _ = node.rename(b"a name of more than eight", node, b"short", RenameMode::Replace);
    }
    for name in names.iter().take(2) {
        let _ = (node.remove(name, Removal::File), node.remove(name, Removal::Directory));
    }
}

fuzz_target!(|bytes: &[u8]| {
    static POOLS: OnceLock<[Pool; 2]> = OnceLock::new();
    let [disks, files] = POOLS.get_or_init(|| [(); 2].map(|()| Pool::new(&pages::Allocator, &Enough)));
    let stamp = Stamp { length: bytes.len() as u64, ..Stamp::default() };
    let store: Arc<dyn Backing> = Arc::new(Image(Mutex::new(bytes.to_vec())));
    let disk = Contents::new(disks, store.clone(), stamp);
    let (owner, now) = (Owner::default(), || 1_700_000_000_000_000_000);
    let world = World { device: 1, owner, read_only: false, now, disk, store, pool: files };
    if let Ok(root) = mount(world) {
        wander(&root, 0, &mut 30);
    }
});
