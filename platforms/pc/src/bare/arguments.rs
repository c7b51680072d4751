//! Arguments and environment on the kernel command line.
//!
//! `name 1F argument 1F argument 1E VARIABLE=value 1F VARIABLE=value 1E`: the separators are ASCII's for units and
//! records, so no word needs quoting. A line without them, as a person types it, is arguments between spaces.

use core::sync::atomic::{AtomicUsize, Ordering};

use bootinfo::{CommandLine as Line, StartInfo};

use crate::memory::BootMap;

const UNIT: u8 = 0x1f;
const RECORD: u8 = 0x1e;

/// Physical address of the PVH start info.
static START_INFO: AtomicUsize = AtomicUsize::new(0);

/// Keeps where the loader has left what it knows.
#[inline(always)]
pub fn remember(start_info: usize) {
    START_INFO.store(start_info, Ordering::Relaxed);
}

/// Provider of the contract `arguments`, as long as the boot tables are in force.
#[derive(Debug, Default)]
pub struct CommandLine;

impl CommandLine {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

fn line() -> &'static [u8] {
    let start_info = START_INFO.load(Ordering::Relaxed) as u64;
    let Ok(info) = StartInfo::read(&BootMap, start_info) else { return &[] };
    if info.command_line == 0 {
        return &[];
    }
    Line::read(&BootMap, info.command_line).map_or(&[], |line| line.text().as_bytes())
}

/// Word `index` of record `record`.
fn word(record: usize, index: usize) -> Option<&'static [u8]> {
    let line = line();
    let separator = if line.contains(&UNIT) || line.contains(&RECORD) { UNIT } else { b' ' };
    let record = line.split(|&byte| byte == RECORD).nth(record).filter(|record| !record.is_empty())?;
    record.split(|&byte| byte == separator).nth(index)
}

impl machine::Arguments for CommandLine {
    fn argument(&self, index: usize) -> Option<&'static [u8]> {
        word(0, index)
    }

    fn variable(&self, index: usize) -> Option<&'static [u8]> {
        word(1, index)
    }
}
