//! A backing that takes its time: what others can do with the file meanwhile.

use std::{
    sync::{Condvar, Mutex as StdMutex},
    thread,
};

use super::*;

/// Holds reads of one page back, as they are when they come or as they are when they go.
#[derive(Default)]
struct Slow {
    disk: Disk,
    /// Reads that wait, and whether they may go on.
    waiting: StdMutex<(usize, bool)>,
    changed: Condvar,
}

/// The page whose reads are held back.
const HELD: u64 = 40;

impl Slow {
    fn wait_for_reads(&self, count: usize) {
        let waiting = self.waiting.lock().unwrap();
        drop(self.changed.wait_while(waiting, |waiting| waiting.0 < count).unwrap());
    }

    fn let_go(&self) {
        self.waiting.lock().unwrap().1 = true;
        self.changed.notify_all();
    }
}

impl Backing for Slow {
    fn read(&self, offset: u64, parts: &mut [&mut [u8]]) -> Result<usize, FileError> {
        // What was read is from before the wait.
        let result = self.disk.read(offset, parts);
        let pages = offset / PAGE..offset / PAGE + parts.len() as u64;
        if pages.contains(&HELD) {
            let mut waiting = self.waiting.lock().unwrap();
            waiting.0 += 1;
            self.changed.notify_all();
            drop(self.changed.wait_while(waiting, |waiting| !waiting.1).unwrap());
        }
        result
    }

    fn write(&self, offset: u64, new: &[u8]) -> Result<usize, FileError> {
        self.disk.write(offset, new)
    }

    fn length(&self) -> Result<u64, FileError> {
        self.disk.length()
    }

    fn set_length(&self, length: u64) -> Result<(), FileError> {
        self.disk.set_length(length)
    }

    fn sync(&self, metadata: bool) -> Result<(), FileError> {
        self.disk.sync(metadata)
    }
}

fn slow() -> (Arc<Slow>, Arc<Contents>) {
    let slow = Arc::new(Slow::default());
    *slow.disk.bytes.lock() = sample(64 * 4096);
    let contents = Contents::new(pool(1 << 20).0, slow.clone(), slow.disk.stamp(0));
    (slow, contents)
}

#[test]
fn others_read_write_and_map_meanwhile() {
    let (slow, file) = slow();
    assert_eq!(read(&file, 0, 9), sample(9));
    thread::scope(|scope| {
        scope.spawn(|| assert_eq!(read(&file, HELD * PAGE, 5), sample(64 * 4096)[40 * 4096..][..5]));
        slow.wait_for_reads(1);
        // What is here, what is not, and a place for a mapping.
        assert_eq!(read(&file, 4, 5), sample(9)[4..]);
        assert_eq!(read(&file, 50 * PAGE, 1), [sample(64 * 4096)[50 * 4096]]);
        file.page(3, false).unwrap();
        file.write_at(60 * PAGE, &mut SliceSource::new(b"new")).unwrap();
        assert_eq!(read(&file, 60 * PAGE, 3), b"new");
        slow.let_go();
    });
    assert!(file.state.lock().table.has(HELD));
}

#[test]
fn what_is_written_meanwhile_is_not_overtaken() {
    for cut in [false, true] {
        let (slow, file) = slow();
        thread::scope(|scope| {
            let reader = scope.spawn(|| read(&file, HELD * PAGE, 3));
            slow.wait_for_reads(1);
            if cut {
                file.set_length(HELD * PAGE + 1).unwrap();
            } else {
                file.write_at(HELD * PAGE, &mut SliceSource::new(b"new")).unwrap();
            }
            slow.let_go();
            assert!(if cut { reader.join().unwrap().len() <= 1 } else { reader.join().unwrap() == b"new" });
        });
        let expected = &slow.disk.bytes()[40 * 4096..];
        assert_eq!(read(&file, HELD * PAGE, 3), expected[..expected.len().min(3)]);
    }
}

/// Where nobody can sleep, a second one reads for itself, as a fault inside the kernel does.
#[test]
fn who_may_not_sleep_waits_for_nobody() {
    let (slow, file) = slow();
    thread::scope(|scope| {
        scope.spawn(|| file.page(HELD, false).unwrap());
        slow.wait_for_reads(1);
        scope.spawn(|| {
            let page = file.page(HELD, true).unwrap();
            page.change(|bytes| bytes[0] = 0xab);
        });
        slow.wait_for_reads(2);
        slow.let_go();
    });
    // Both see one page, stored into or not.
    assert_eq!(file.page(HELD, false).unwrap().with(|bytes| bytes[0]), 0xab);
    assert!(file.state.lock().filling.is_empty());
}
