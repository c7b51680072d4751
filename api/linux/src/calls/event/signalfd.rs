//! Signals as descriptors.

use alloc::sync::Arc;

use linux_abi::{Errno, FileDescriptor, UserSignalSet, constants::OpenFlags};

use crate::{
    Result,
    objects::{events, files, signals},
};

/// signalfd(2): signals to be read.
///
/// Without flags.
pub fn signalfd(descriptor: FileDescriptor, set: UserSignalSet, size: usize) -> Result {
    make(descriptor, set, size, OpenFlags::empty())
}

/// signalfd4(2): signals to be read.
///
/// With flags.
pub fn signalfd4(descriptor: FileDescriptor, set: UserSignalSet, size: usize, flags: OpenFlags) -> Result {
    make(descriptor, set, size, flags)
}

/// A descriptor for a set of signals: a new one for -1, else one that there is.
fn make(descriptor: FileDescriptor, set: UserSignalSet, size: usize, flags: OpenFlags) -> Result {
    let set = signals::read_set(set, size)?;
    if !(OpenFlags::O_CLOEXEC | OpenFlags::O_NONBLOCK).contains(flags) {
        return Err(Errno::EINVAL);
    }
    if descriptor.0 == -1 {
        return events::open(Arc::new(events::SignalFd::new(set)), b"anon_inode:[signalfd]", flags);
    }
    let description = files::usable(descriptor)?;
    let signals: &events::SignalFd = description.node_as()?;
    signals.set(set);
    Ok(descriptor.0 as usize)
}
