//! The launch record of a boot.

use archive::Archive;
use launch::Launch;
use sync::Once;

static RECORD: Once<Launch<'static>> = Once::new();

/// The archive's first entry, if that is what it holds; else a record without fields. Read at the first call.
pub fn record(archive: &'static [u8]) -> &'static Launch<'static> {
    #[inline(never)]
    fn read(archive: &'static [u8]) -> Launch<'static> {
        let first = Archive::new(archive).entries().next().and_then(Result::ok);
        let record = first.filter(|entry| entry.name == launch::ARCHIVE_NAME.as_bytes());
        Launch::new(record.map_or(&[], |entry| entry.contents))
    }
    RECORD.call_once(|| read(archive))
}

/// The record that was read at boot; `None` in an image that is started without one.
pub fn known() -> Option<&'static Launch<'static>> {
    RECORD.get()
}
