//! Waiting for open files: what poll(2) and select(2) share.

use alloc::{boxed::Box, sync::Arc, vec::Vec};

use kernel::task::{self, Waited};
use linux_abi::{
    Errno, FileDescriptor,
    constants::{POLLERR, POLLHUP, POLLIN, POLLNVAL, POLLOUT, POLLPRI, POLLRDHUP, POLLRDNORM, POLLWRNORM},
};
use sync::{Stay, WaitQueue, Waiter};
use vfs::{Node, Readiness};

use super::not_a_path;
use crate::objects::descriptors::{Description, table::Table};

/// Events that are told whether asked for or not.
const ALWAYS: u16 = POLLERR | POLLHUP | POLLNVAL;

/// One descriptor to watch.
pub struct Interest {
    description: Option<Arc<Description>>,
    events: u16,
    /// What it is to whoever watches.
    pub tag: u32,
    /// What held when it was looked at last.
    pub found: u16,
}

impl Interest {
    /// The interest in `events` of descriptor `number` of `table`, or in nothing if that is negative; `Err` for a
    /// descriptor that is not open, or cannot be waited for (`O_PATH`).
    #[inline]
    pub fn new(table: &Table, number: FileDescriptor, events: u16, tag: u32) -> Result<Self, Errno> {
        let open = || table.get_in_line(number.0).cloned().and_then(not_a_path);
        let description = if number.0 < 0 { None } else { Some(open()?) };
        Ok(Self { description, events: events | ALWAYS, tag, found: 0 })
    }

    /// Looks which events hold now.
    fn look(&mut self) {
        let Some(description) = &self.description else { return };
        self.found = events(&*description.node) & self.events;
    }
}

/// Events that hold.
#[inline]
pub fn events(node: &dyn Node) -> u16 {
    events_of(node.readiness())
}

/// Events that hold of what is ready for this.
#[inline]
pub fn events_of(ready: Readiness) -> u16 {
    EVENTS[usize::from(ready.bits()) % EVENTS.len()]
}

/// The events of each set of bits: poll(2) and epoll(7) look at many files in a row.
const EVENTS: [u16; Readiness::all().bits() as usize + 1] = {
    let mut events = [0; Readiness::all().bits() as usize + 1];
    let mut bits = 0;
    while bits < events.len() {
        let ready = Readiness::from_bits_retain(bits as u8);
        let pairs = [
            (Readiness::READABLE, POLLIN | POLLRDNORM),
            (Readiness::WRITABLE, POLLOUT | POLLWRNORM),
            (Readiness::HANGUP, POLLHUP),
            (Readiness::ERROR, POLLERR),
            // A read finds the end at once.
            (Readiness::ENDED, POLLRDHUP | POLLIN | POLLRDNORM),
            (Readiness::URGENT, POLLPRI),
        ];
        let mut pair = 0;
        while pair < pairs.len() {
            if ready.contains(pairs[pair].0) {
                events[bits] |= pairs[pair].1;
            }
            pair += 1;
        }
        bits += 1;
    }
    events
};

/// The queue that is woken when they change.
pub fn queue<'a>(node: &'a (dyn Node + 'static)) -> &'a WaitQueue {
    node.wait_queue().unwrap_or(task::outside())
}

/// Looks at all; the sum of what `weigh` makes of each.
#[inline]
fn look(interests: &mut [Interest], weigh: impl Fn(&Interest) -> usize) -> usize {
    let mut found = 0;
    for interest in interests {
        interest.look();
        found += weigh(interest);
    }
    found
}

/// Waits until something holds or until `deadline`: the sum of what `weigh` makes of each interest, 0 if nothing came.
/// `None` waits for ever; a deadline in the past only looks.
#[inline]
pub fn wait_for(
    interests: &mut [Interest],
    deadline: Option<u64>,
    weigh: impl Fn(&Interest) -> usize,
) -> crate::Result {
    match look(interests, &weigh) {
        0 => sleep_for(interests, deadline, &weigh),
        found => Ok(found),
    }
}

/// The same where nothing held at the first look.
#[inline(never)]
fn sleep_for(interests: &mut [Interest], deadline: Option<u64>, weigh: &dyn Fn(&Interest) -> usize) -> crate::Result {
    let mut found = 0;
    let descriptions: Vec<_> = interests.iter().filter_map(|interest| interest.description.clone()).collect();
    let queues = descriptions.iter().map(|description| queue(&*description.node));
    let waiters: Vec<_> = queues.map(|queue| Box::pin(Waiter::new(queue, task::waker(), Stay::Once))).collect();
    let waited = task::sleep_until(deadline, &mut || {
        waiters.iter().for_each(|waiter| waiter.as_ref().enter());
        found = look(interests, weigh);
        found > 0
    });
    if waited == Waited::Ready(()) {
        return Ok(found);
    }
    for description in interests.iter().filter_map(|interest| interest.description.as_ref()) {
        description.node.stop_waiting();
    }
    if waited == Waited::TimedOut { Ok(0) } else { Err(Errno::ERESTARTNOHAND) }
}
