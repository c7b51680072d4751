//! The provider: the interfaces, and round them a recorder, which is on where the command wants a record of all
//! packets.

use alloc::boxed::Box;

use launch::Key;
use nic::{Attributes, Burst, Error, Filter, Instant, Interrupts, Nics, Recorded};
use sync::Once;

use super::{Opened, RECORD};
use crate::{
    clock,
    host::{files, time::ClockId},
};

static RECORDED: Recorded<Opened, fn() -> Instant> = Recorded::new(Opened, now);
static STARTED: Once<()> = Once::new();

/// What other records have, so that they can be laid beside each other.
fn now() -> Instant {
    Instant::from_nanos(clock::now(ClockId::Wall))
}

/// The interfaces, whose record has begun if there is to be one.
fn nics() -> &'static impl Nics {
    STARTED.call_once(|| {
        let descriptor = RECORD.get().and_then(|launch| launch.number(Key::Pcap));
        if let Some(descriptor) = descriptor.and_then(|number| i32::try_from(number).ok()) {
            // What the file has no room for is missing in it.
            RECORDED.start(Box::new(move |bytes: &[u8]| _ = files::write_all(descriptor, bytes)));
        }
    });
    &RECORDED
}

/// Provider of the contract `nic`.
#[derive(Debug, Default)]
pub struct HostNics;

impl HostNics {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl Nics for HostNics {
    fn count(&self) -> usize {
        nics().count()
    }

    fn attributes(&self, nic: usize) -> Option<Attributes> {
        nics().attributes(nic)
    }

    fn receive(&self, nic: usize, queue: usize, packets: &mut Burst, most: usize) -> Result<usize, Error> {
        nics().receive(nic, queue, packets, most)
    }

    fn send(&self, nic: usize, queue: usize, packets: &mut Burst) -> Result<usize, Error> {
        nics().send(nic, queue, packets)
    }

    fn set_interrupts(&self, nic: usize, queue: usize, wanted: Interrupts) -> bool {
        nics().set_interrupts(nic, queue, wanted)
    }

    fn is_up(&self, nic: usize) -> bool {
        nics().is_up(nic)
    }

    fn set_filter(&self, nic: usize, filter: Filter) -> Result<(), Error> {
        nics().set_filter(nic, filter)
    }
}
