//! Any bytes as what is said of sites of system calls: a launch record's words, and a kernel's lines. What is
//! understood says itself again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rewrite::{Named, Object};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Ok(site) = text.parse::<Named>() {
        assert_eq!(site.to_string().parse(), Ok(site));
    }
    if let Ok(object) = text.parse::<Object>() {
        assert!(object.offsets().is_sorted_by(|one, next| one < next));
        assert!(object.path().ends_with(object.name()) && !object.path().contains('\0'));
        assert_eq!(object.to_string().parse(), Ok(object));
    }
});
