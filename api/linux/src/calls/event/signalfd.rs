//! Signals as descriptors.

use alloc::sync::Arc;

use linux_abi::{
    Errno,
    constants::{O_CLOEXEC, O_NONBLOCK},
};

use crate::{
    Call, Result,
    objects::{events, files, signals},
};

/// signalfd(2): signals to be read.
///
/// Without flags.
pub fn signalfd(call: &mut Call) -> Result {
    make(call, 0)
}

/// signalfd4(2): signals to be read.
///
/// With flags.
pub fn signalfd4(call: &mut Call) -> Result {
    make(call, call.unsigned(3))
}

/// A descriptor for a set of signals: a new one for -1, else one that there is.
pub fn make(call: &Call, flags: u32) -> Result {
    let set = signals::read_set(call.argument(1), call.argument(2))?;
    if flags & !(O_CLOEXEC | O_NONBLOCK) != 0 {
        return Err(Errno::EINVAL);
    }
    if call.int(0) == -1 {
        return events::open(Arc::new(events::SignalFd::new(set)), b"anon_inode:[signalfd]", flags);
    }
    let description = files::usable(call.int(0))?;
    let signals: &events::SignalFd = description.node_as()?;
    signals.set(set);
    Ok(call.int(0) as usize)
}
