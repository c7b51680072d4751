//! Reading what is typed: a terminal may have a read wait for several bytes, or for some time (termios(3), "Canonical
//! and noncanonical mode").

use kernel::task::{self, Waited};
use linux_abi::Errno;
use vfs::{FileError, Terminal, Timing};

use super::UserSink;
use crate::objects::{descriptors::Description, errors::counted};

/// Reads from a terminal that had not what a read waits for.
pub fn read(description: &Description, terminal: &dyn Terminal, sink: &mut UserSink) -> crate::Result {
    let node = &*description.node;
    if description.is_nonblocking() {
        node.stop_waiting();
        return none_is(Errno::EAGAIN, terminal.take_now(sink));
    }
    let begin = contracts::clock::monotonic();
    loop {
        let before = node.available();
        let timing = terminal.timing();
        let deadline = timing.and_then(|timing| deadline(timing, begin, before));
        let mut result = Err(FileError::WouldBlock);
        let waited = task::wait_until(node.wait_queue(), deadline, &mut || {
            // A pseudo-terminal may have enough for a short read before poll(2) says so (VMIN). The console is asked
            // only when the host has told of keys.
            if node.wait_queue().is_some() || node.readiness().may_read() {
                result = node.read_at(0, sink);
            }
            // The time begins anew with each byte.
            let more = timing.is_some_and(|timing| timing.between) && node.available() != before;
            result != Err(FileError::WouldBlock) || more
        });
        match waited {
            Waited::Ready(()) if result == Err(FileError::WouldBlock) => continue,
            Waited::Ready(()) => return counted(result),
            Waited::TimedOut => return Ok(terminal.take_now(sink)),
            Waited::Interrupted => {
                node.stop_waiting();
                return none_is(Errno::ERESTARTSYS, terminal.take_now(sink));
            }
        }
    }
}

/// When a read gives up: with what has come by then.
fn deadline(timing: Timing, begin: u64, available: usize) -> Option<u64> {
    match timing {
        Timing { limit, between: false } => Some(begin.saturating_add(limit)),
        // Before the first byte it waits for ever.
        Timing { limit, between: true } if available > 0 => Some(contracts::clock::monotonic().saturating_add(limit)),
        Timing { .. } => None,
    }
}

const fn none_is(error: Errno, count: usize) -> crate::Result {
    if count == 0 { Err(error) } else { Ok(count) }
}
