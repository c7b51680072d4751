//! Any bytes as an image of hashed files: it is refused, or every file lies within it, from memory as from a device.
#![no_main]

use hashfiles::{Below, Unreadable, Volume};
use libfuzzer_sys::fuzz_target;

/// Bytes that are not in memory, as far as the volume knows.
struct Device<'a>(&'a [u8]);

impl Below for Device<'_> {
    fn length(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<(), Unreadable> {
        self.0.read(offset, buffer)
    }
}

fuzz_target!(|bytes: &[u8]| {
    let (memory, device) = (Volume::in_memory(bytes), Volume::on(Device(bytes)));
    assert_eq!(memory.as_ref().err(), device.as_ref().err());
    let (Ok(memory), Ok(device)) = (memory, device) else { return };
    for (name, file) in memory.files() {
        let contents = file.bytes().expect("contents lie within the image");
        assert_eq!(contents.len() as u64, file.length());
        let mut piece = [0; 64];
        let count = file.read_at(3, &mut piece).unwrap();
        assert_eq!(piece[..count], contents[contents.len().min(3)..][..count]);
        // A broken table may hide a file or show another of the same name, but both sides see the same.
        let begins = |found: Option<u64>, other: Option<u64>| assert_eq!(found, other);
        begins(memory.open(name).map(|file| file.begin()), device.open(name).map(|file| file.begin()));
        let digest = file.digest();
        begins(memory.open_digest(digest).map(|file| file.begin()), device.open_digest(digest).map(|file| file.begin()));
    }
});
