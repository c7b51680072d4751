//! How much memory there is, and what of it is used.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use machine::{Audit, AuditError, MemoryUse, PAGE_SIZE, SpaceHandle};

use super::{
    audit, file_pages,
    spaces::{self, OwnFile},
};
use crate::host::{
    files::{self, OWN_FILES},
    process,
};

/// The limit that the command set, in bytes; 0 is none.
static LIMIT: AtomicU64 = AtomicU64::new(0);

/// Bytes that the host's limit is wider: it counts what is mapped writable, touched or not, and of what a program's
/// main stack has mapped at first little is used.
pub const SELDOM_USED: u64 = 128 << 10;

/// Takes note of the limit, if there is one.
pub fn set_limit(limit: Option<u64>) {
    LIMIT.store(limit.unwrap_or(0), Relaxed);
}

/// The machine's [`machine::MemoryReport`].
#[derive(Debug, Default)]
pub struct MemoryReport;

impl MemoryReport {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::MemoryReport for MemoryReport {
    fn memory_use(&self) -> MemoryUse {
        memory_use()
    }

    fn audit(&self) -> Result<Audit, AuditError> {
        let mut all = Audit::default();
        let mut result = Ok(());
        spaces::visit_each(&mut || {
            result = result.and_then(|()| audit::add(&mut all));
        });
        result.map(|()| all)
    }
}

fn memory_use() -> MemoryUse {
    match LIMIT.load(Relaxed) as usize {
        // What the host calls free leaves out its caches, which it gives up when somebody needs memory: what we do
        // not use counts as free.
        0 => {
            let total = process::host_memory();
            // Pages of files count once, however often they are mapped.
            let own = own_memory(RESIDENT).saturating_sub(own_memory(OF_FILES)) + shared();
            MemoryUse { total, free: total.saturating_sub(own) }
        }
        limit => {
            let used = own_memory(WRITABLE).saturating_sub(SELDOM_USED as usize) + shared();
            MemoryUse { total: limit, free: limit.saturating_sub(used) }
        }
    }
}

/// Bytes that are in memory files: those of files, and the kernel's own where processes share them.
fn shared() -> usize {
    file_pages::in_use() + spaces::shared()
}

/// Whether so much more of what processes share keeps the limit. The host holds each of them to the limit by itself,
/// and counts what is shared for none.
pub fn has_room(length: usize) -> bool {
    match LIMIT.load(Relaxed) as usize {
        0 => true,
        limit => shared().saturating_add(length) <= limit,
    }
}

/// Whether a copy of what one process has of its own keeps the limit: Linux counts none of it before it is stored into.
pub fn may_copy() -> bool {
    LIMIT.load(Relaxed) == 0 || memory_use().free != 0
}

/// Words of proc_pid_statm(5): what is in memory, what of that is files', each time that it is mapped, and what is
/// mapped writable and private, touched or not.
const RESIDENT: usize = 1;
const OF_FILES: usize = 2;
const WRITABLE: usize = 5;

/// Bytes that all processes of the machine have, by one of those words; what is shared counts in each.
fn own_memory(word: usize) -> usize {
    let mut sum = 0;
    spaces::each(OwnFile::Sizes, &open, &mut |descriptor| sum += bytes(descriptor, word));
    sum
}

fn open() -> Option<i32> {
    files::open_own(&OWN_FILES.sizes).ok()
}

/// What one of those words says in an open file, in bytes.
fn bytes(descriptor: i32, word: usize) -> usize {
    let mut text = [0; 128];
    let length = files::read_at(descriptor, &mut text, 0).unwrap_or(0);
    let pages = core::str::from_utf8(&text[..length]).ok().and_then(|text| text.split(' ').nth(word)?.parse().ok());
    pages.unwrap_or(0_usize).saturating_mul(PAGE_SIZE)
}

/// Bytes that are in memory of one space's, but those of files.
pub fn resident(space: &SpaceHandle) -> usize {
    let _there = spaces::visit(space);
    let file = spaces::here().file(OwnFile::Sizes, open);
    file.map_or(0, |file| bytes(file, RESIDENT).saturating_sub(bytes(file, OF_FILES)))
}
