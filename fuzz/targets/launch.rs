//! Any bytes as a launch record: every look-up ends, and what it gives is part of the record.
#![no_main]

use launch::{Key, Launch};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let launch = Launch::new(bytes);
    let mut total = 0;
    for &key in Key::ALL {
        for value in launch.all(key) {
            assert!(!value.contains(&0));
            total += key.text().len() + 1 + value.len();
        }
        if key.is_late() {
            continue;
        }
        assert_eq!(launch.first(key), launch.all(key).next());
        let _ = (launch.text(key), launch.number(key), launch.flag(key));
        let _ = (launch.hexadecimal::<32>(key), launch.hexadecimal::<36>(key), launch.numbers::<4>(key));
    }
    assert!(total <= bytes.len());
});
