//! Waiting for open files: what poll(2) and select(2) share.

use alloc::{sync::Arc, vec::Vec};

use kernel::task::{self, Waited};
use linux_abi::{
    Errno,
    constants::{POLLERR, POLLHUP, POLLIN, POLLNVAL, POLLOUT, POLLRDNORM, POLLWRNORM},
};

use super::{Description, usable};

/// Events that are told whether asked for or not.
const ALWAYS: u16 = POLLERR | POLLHUP | POLLNVAL;

/// One descriptor to watch.
pub struct Interest {
    description: Option<Arc<Description>>,
    events: u16,
}

/// What is wanted of one descriptor.
#[derive(Clone, Copy, Debug)]
pub enum Wanted {
    /// Nothing: a negative descriptor.
    Nothing,
    /// These events of this descriptor.
    Events(i32, u16),
}

impl Interest {
    /// The interest in `wanted`; `Err` for a descriptor that is not open.
    pub fn new(wanted: Wanted) -> Result<Self, Errno> {
        let Wanted::Events(number, events) = wanted else { return Ok(Self { description: None, events: 0 }) };
        Ok(Self { description: Some(usable(number)?), events: events | ALWAYS })
    }

    /// The events that hold now.
    #[must_use]
    pub fn now(&self) -> u16 {
        let Some(description) = &self.description else { return 0 };
        let ready = description.node.readiness();
        let mut events = 0;
        if ready.readable {
            events |= POLLIN | POLLRDNORM;
        }
        if ready.writable {
            events |= POLLOUT | POLLWRNORM;
        }
        if ready.hangup {
            events |= POLLHUP;
        }
        if ready.error {
            events |= POLLERR;
        }
        events & self.events
    }

    fn forget(&self) {
        if let Some(description) = &self.description {
            description.node.stop_waiting();
        }
    }
}

/// Waits until `count` of the events of `interests` says that something holds, or until `deadline`; `Ok(0)` if nothing
/// came. `None` waits for ever; a deadline in the past only looks.
pub fn wait_for(
    interests: &[Interest],
    deadline: Option<u64>,
    count: &dyn Fn(&[u16]) -> usize,
) -> Result<(usize, Vec<u16>), Errno> {
    let mut events = Vec::with_capacity(interests.len());
    let mut look = || {
        events.clear();
        events.extend(interests.iter().map(Interest::now));
        let found = count(&events);
        (found > 0).then_some(found)
    };
    let waited = task::wait(deadline, &mut look);
    match waited {
        Waited::Ready(found) => Ok((found, events)),
        Waited::TimedOut => {
            interests.iter().for_each(Interest::forget);
            Ok((0, events))
        }
        Waited::Interrupted => {
            interests.iter().for_each(Interest::forget);
            Err(Errno::ERESTARTNOHAND)
        }
    }
}
