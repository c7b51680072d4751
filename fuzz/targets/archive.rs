//! Any bytes as a boot archive: entries lie inside it, and reading comes to an end.
#![no_main]

use archive::Archive;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut entries = Archive::new(bytes).entries();
    // An entry takes a header of 110 bytes at least.
    for _ in 0..=bytes.len() / 110 + 1 {
        match entries.next() {
            None => return,
            Some(Err(_)) => break,
            Some(Ok(entry)) => {
                assert!(!entry.name.contains(&0));
                assert_eq!(bytes.get(entry.offset..entry.offset + entry.contents.len()), Some(entry.contents));
            }
        }
    }
    assert!(entries.next().is_none(), "nothing comes after an error, and no archive has more entries than headers");
});
