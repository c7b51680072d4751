//! What the machine or QEMU says beside the connection: the 16550's text, QEMU's own words.

use std::fs::File;
use std::io::Read;

/// Most bytes of a text that are kept.
const MOST_TEXT: usize = 1 << 20;
/// QEMU's words when KVM met an instruction that it cannot emulate; the machine then stands still for ever.
const STANDSTILL: &[u8] = b"KVM internal error";

/// What the machine or QEMU says beside the connection.
pub struct Text {
    file: Option<File>,
    bytes: Vec<u8>,
}

impl Text {
    /// Nothing was said yet.
    pub const fn new(file: File) -> Self {
        Self { file: Some(file), bytes: Vec::new() }
    }

    /// Reads a part, once poll(2) has something.
    pub fn read(&mut self) {
        let mut part = [0; 4096];
        match self.file.as_mut().map(|file| file.read(&mut part)) {
            Some(Ok(count @ 1..)) => {
                let room = MOST_TEXT.saturating_sub(self.bytes.len());
                self.bytes.extend_from_slice(&part[..count.min(room)]);
            }
            _ => self.file = None,
        }
    }

    /// What to poll; `None` at the end.
    pub const fn file(&self) -> Option<&File> {
        self.file.as_ref()
    }

    /// Reads to the end and returns everything.
    pub fn into_whole(mut self) -> String {
        while self.file.is_some() {
            self.read();
        }
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// Whether this was the last that will ever be heard.
    pub fn is_fatal(&self) -> bool {
        self.bytes.windows(STANDSTILL.len()).any(|words| words == STANDSTILL)
    }
}
