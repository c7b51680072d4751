//! Directories of the host: [`ninep`] over virtio-9p devices, each known by its tag. Nothing is looked for before
//! somebody opens one.

mod channel;

use alloc::{boxed::Box, sync::Arc, vec::Vec};
use core::ptr::NonNull;

use channel::Exchange;
use ninep::World;
use page_cache::{Pool, Room};
use pages::{Bytes, Memory};
use sync::SleepMutex;
use vfs::{FileError, Node};
use virtio::ninep::{LONGEST_TAG, tag};

use crate::{
    discovery::Sources,
    transport::{AnyTransport, Own},
};

/// Tags of the devices that have been taken over.
static OPENED: SleepMutex<Vec<Vec<u8>>> = SleepMutex::new(Vec::new());

/// The number of the first share's file system, as stat(2) shows it; the others' follow.
const FIRST_NUMBER: u64 = 0x40;

/// Contents leave at least this part of memory to programs and kernel: one in 8.
const RESERVED_PART: usize = 8;

/// Contents of files of all shares.
static CONTENTS: Pool = Pool::new(&Frames, &Frames);

/// Memory for contents.
struct Frames;

// SAFETY: the platform gives each page to one asker only, until that gives it back, and it lies in memory that is
// always mapped for the kernel.
unsafe impl Memory for Frames {
    fn allocate(&self) -> Option<NonNull<Bytes>> {
        NonNull::new(contracts::kernel_memory::allocate_page().ok()? as *mut Bytes)
    }

    unsafe fn free(&self, page: NonNull<Bytes>) {
        contracts::kernel_memory::free_page(page.addr().get());
    }
}

impl Room for Frames {
    fn has_room(&self, bytes: usize) -> bool {
        let memory = contracts::memory_report::memory_use();
        memory.free.saturating_sub(bytes) >= memory.total / RESERVED_PART
    }
}

fn now() -> vfs::Time {
    i64::try_from(contracts::clock::wall()).unwrap_or(i64::MAX)
}

/// Provider of the contract `shares`.
#[derive(Debug, Default)]
pub struct Shares;

impl Shares {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl vfs::Shares for Shares {
    fn open(&self, tag: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        let mut opened = OPENED.lock();
        if opened.iter().any(|known| known == tag) {
            return Err(FileError::Busy);
        }
        let device = find(tag).ok_or(FileError::NotFound)?;
        let world = World { device: FIRST_NUMBER + opened.len() as u64, now, pool: &CONTENTS };
        let root = ninep::mount(Box::new(Exchange::start(device)?), world)?;
        opened.push(tag.to_vec());
        Ok(root)
    }

    fn flush(&self) -> Result<(), FileError> {
        CONTENTS.flush()
    }
}

/// The device with that tag, and whether it can interrupt.
fn find(wanted: &[u8]) -> Option<(AnyTransport, bool)> {
    let sources = Sources::remembered();
    let mut buffer = [0; LONGEST_TAG];
    let mut is_it = |own: Own| tag(|at| own.read8(at), &mut buffer) == Some(wanted);
    let mut interrupts = false;
    let device = sources.look(&mut |candidate| {
        let (device, can) = AnyTransport::known(candidate, virtio::device::NINEP, true, &mut is_it)?;
        interrupts = can;
        Some(device)
    });
    Some((device?, interrupts))
}
