//! Signals that are read: signalfd(2).

use linux_abi::structures::{SignalDescriptorInformation, SignalInformation};
use signal_state::SignalSet;
use sync::{Mutex, WaitQueue};
use vfs::{FileError, Node, Readiness, Sink};
use zerocopy::IntoBytes;

use crate::objects::{process, process::current_in_line, signals};

/// The signals of a set, of whoever asks.
pub struct SignalFd {
    set: Mutex<SignalSet>,
}

impl SignalFd {
    /// Those of `set`.
    #[must_use]
    pub const fn new(set: SignalSet) -> Self {
        Self { set: Mutex::new(set.without(SignalSet::UNBLOCKABLE)) }
    }

    /// Means those of `set` from now on.
    pub fn set(&self, set: SignalSet) {
        *self.set.lock() = set.without(SignalSet::UNBLOCKABLE);
        crate::process().signalled.wake_all();
    }
}

/// `signalfd_copyinfo` in `fs/signalfd.c`. The shapes of the union overlap, so most fields are there for all.
fn told(information: &SignalInformation) -> SignalDescriptorInformation {
    let [first, second, ..] = information.fields;
    let mut told = SignalDescriptorInformation {
        ssi_signo: information.si_signo as u32,
        ssi_errno: information.si_errno,
        ssi_code: information.si_code,
        ..SignalDescriptorInformation::default()
    };
    if information.si_code == linux_abi::constants::SI_TIMER {
        told.ssi_tid = first as u32;
        told.ssi_overrun = (first >> u32::BITS) as u32;
    } else {
        told.ssi_pid = first as u32;
        told.ssi_uid = (first >> u32::BITS) as u32;
    }
    told.ssi_int = second as i32;
    told.ssi_ptr = second;
    told
}

impl Node for SignalFd {
    nameless_stream!(Still);

    fn read_at(&self, _offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        const SIZE: usize = size_of::<SignalDescriptorInformation>();
        if sink.room() < SIZE {
            return Err(FileError::Invalid);
        }
        let set = *self.set.lock();
        let mut count = 0;
        while sink.room() >= SIZE
            && let Some(information) = signals::take(current_in_line(), set)
        {
            count += sink.put(told(&information).as_bytes());
        }
        if count == 0 { Err(FileError::WouldBlock) } else { Ok(count) }
    }

    fn readiness(&self) -> Readiness {
        let shared = process::process_signals().pending.set();
        let waiting = process::thread_signals().pending.set().union(shared);
        Readiness::READABLE.when(!waiting.intersection(*self.set.lock()).is_empty())
    }

    fn wait_queue(&self) -> Option<&WaitQueue> {
        Some(&process::process().signalled)
    }
}
