//! Counters as descriptors.

use alloc::sync::Arc;

use linux_abi::constants::EFD_SEMAPHORE;

use crate::{Call, Result, objects::events};

/// eventfd(2): a counter.
///
/// Without flags.
pub fn eventfd(call: &mut Call) -> Result {
    make(call.unsigned(0), 0)
}

/// eventfd2(2): a counter.
///
/// With flags.
pub fn eventfd2(call: &mut Call) -> Result {
    make(call.unsigned(0), call.unsigned(1))
}

/// A new counter.
pub fn make(value: u32, flags: u32) -> Result {
    let counter = events::EventFd::new(value.into(), flags & EFD_SEMAPHORE != 0);
    events::open(Arc::new(counter), b"anon_inode:[eventfd]", flags & !EFD_SEMAPHORE)
}
