//! An image of ext2 to ext4 with any bytes: whatever they say, each call ends.
#![no_main]

use std::sync::{Arc, OnceLock};

use ext4::{World, mount};
use libfuzzer_sys::fuzz_target;
use page_cache::{Backing, Contents, Pool, Room, Stamp};
use vfs::{Cursor, FileError, Node, SliceSink};

struct Image(Vec<u8>);

impl Backing for Image {
    fn read(&self, offset: u64, parts: &mut [&mut [u8]]) -> Result<usize, FileError> {
        let mut rest = self.0.get(usize::try_from(offset).unwrap()..).unwrap_or_default();
        let mut done = 0;
        for part in parts {
            let (first, behind) = rest.split_at(part.len().min(rest.len()));
            part[..first.len()].copy_from_slice(first);
            (done, rest) = (done + first.len(), behind);
        }
        Ok(done)
    }

    fn write(&self, _: u64, _: &[u8]) -> Result<usize, FileError> {
        unreachable!("nothing is written")
    }

    fn length(&self) -> Result<u64, FileError> {
        Ok(self.0.len() as u64)
    }

    fn set_length(&self, _: u64) -> Result<(), FileError> {
        unreachable!("nothing is written")
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

fn look(node: &Arc<dyn Node>, depth: usize, left: &mut usize) {
    *left = left.saturating_sub(1);
    let mut bytes = [0; 3000];
    for at in [0, 5000, u64::from(u32::MAX) << 10, i64::MAX as u64 - 5] {
        let _ = node.read_at(at, &mut SliceSink::new(&mut bytes));
    }
    let _ = (node.read_link(), node.metadata(), node.pages().map(|pages| pages.page(1, false)));
    let mut names = Vec::new();
    let _ = node.list(&mut Cursor::default(), &mut |entry| {
        names.push(entry.name.to_vec());
        names.len() < 10
    });
    for name in names.iter().filter(|_| depth < 4) {
        if let Some(child) = node.lookup(name).ok().filter(|_| *left > 0) {
            look(&child, depth + 1, left);
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    static POOL: OnceLock<Pool> = OnceLock::new();
    let pool = POOL.get_or_init(|| Pool::new(&pages::Allocator, &Enough));
    let stamp = Stamp { length: bytes.len() as u64, ..Stamp::default() };
    let store: Arc<dyn Backing> = Arc::new(Image(bytes.to_vec()));
    let disk = Contents::new(pool, store.clone(), stamp);
    if let Ok(root) = mount(World { device: 1, disk, store, pool }) {
        look(&root, 0, &mut 30);
    }
});
