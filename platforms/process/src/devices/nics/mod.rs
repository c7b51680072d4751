//! TAP devices and sockets of the host's as network interfaces: those that the command has opened, from descriptor
//! [`FIRST`] on, one for each queue.
//!
//! The host's readiness is the interrupt: a processor that waits for work watches the descriptors of queues that shall
//! interrupt ([`wait`]).

mod frames;
mod interface;
mod provider;
mod record;
mod stream;
mod watch;

use alloc::vec::Vec;

use interface::Interface;
use launch::{Key, Launch};
use nic::{Attributes, Burst, Error, Filter, Interrupts};
use sync::Once;

pub use provider::HostNics;
pub use watch::{is_watched, wait};

/// The descriptor of the first queue of the first interface.
const FIRST: i32 = 192;

static RECORD: Once<&'static Launch<'static>> = Once::new();
static FOUND: Once<Vec<Interface>> = Once::new();

/// Keeps what the command says of network interfaces; whether there are any.
pub fn remember(launch: &'static Launch<'static>) -> bool {
    RECORD.call_once(|| launch);
    launch.first(Key::Nic).is_some()
}

fn found() -> &'static [Interface] {
    FOUND.call_once(|| {
        let mut queue = 0;
        let records = RECORD.get().into_iter().flat_map(|launch| launch.all(Key::Nic));
        let interfaces = records.map_while(record::parse).map(|told| {
            let first = queue;
            queue += told.queues;
            Interface::new(&told, first)
        });
        interfaces.collect()
    })
}

fn interface(nic: usize) -> Result<&'static Interface, Error> {
    found().get(nic).ok_or(Error::Nowhere)
}

/// The interfaces themselves.
#[derive(Debug)]
struct Opened;

impl nic::Nics for Opened {
    fn count(&self) -> usize {
        found().len()
    }

    fn attributes(&self, nic: usize) -> Option<Attributes> {
        Some(interface(nic).ok()?.attributes)
    }

    fn receive(&self, nic: usize, queue: usize, packets: &mut Burst, most: usize) -> Result<usize, Error> {
        interface(nic)?.receive(queue, packets, most)
    }

    fn send(&self, nic: usize, queue: usize, packets: &mut Burst) -> Result<usize, Error> {
        interface(nic)?.send(queue, packets)
    }

    fn set_interrupts(&self, nic: usize, queue: usize, wanted: Interrupts) -> bool {
        interface(nic).is_ok_and(|interface| interface.set_interrupts(queue, wanted))
    }

    fn is_up(&self, nic: usize) -> bool {
        interface(nic).is_ok_and(Interface::is_up)
    }

    fn set_filter(&self, nic: usize, filter: Filter) -> Result<(), Error> {
        interface(nic)?;
        // The host hands over all that comes on its side of the link.
        if filter == Filter::Own { Err(Error::Unsupported) } else { Ok(()) }
    }
}
