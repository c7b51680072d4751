//! Any bytes as a trace record: what makes sense has a line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trace::Record;

fuzz_target!(|bytes: &[u8]| {
    if let Some(record) = Record::decode(bytes) {
        assert!(!record.to_string().is_empty());
    }
});
