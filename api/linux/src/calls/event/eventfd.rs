//! Counters as descriptors.

use alloc::sync::Arc;

use linux_abi::constants::{EventDescriptorFlags, OpenFlags};

use crate::{Result, objects::events};

/// eventfd(2): a counter.
///
/// Without flags.
pub fn eventfd(count: u32) -> Result {
    make(count, EventDescriptorFlags::empty())
}

/// eventfd2(2): a counter.
///
/// With flags.
pub fn eventfd2(count: u32, flags: EventDescriptorFlags) -> Result {
    make(count, flags)
}

/// A new counter.
pub fn make(value: u32, flags: EventDescriptorFlags) -> Result {
    let counter = events::EventFd::new(value.into(), flags.contains(EventDescriptorFlags::EFD_SEMAPHORE));
    let rest = OpenFlags::from_bits_retain((flags - EventDescriptorFlags::EFD_SEMAPHORE).bits());
    events::open(Arc::new(counter), b"anon_inode:[eventfd]", rest)
}
