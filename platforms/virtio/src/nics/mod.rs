//! Network interfaces over virtio-net. None is looked for before somebody asks how many there are.
//!
//! Their order is that of their addresses, since a bus has any order: the command gives them out in the order of its
//! options.

mod buffer;
mod interface;

use alloc::vec::Vec;

use interface::Interface;
use nic::{Attributes, Burst, Error, Filter, Interrupts, Take};
use sync::Once;

use crate::{
    discovery::Sources,
    transport::{AnyTransport, Own},
};

static FOUND: Once<Vec<Interface>> = Once::new();

/// Provider of the contract `nic`.
#[derive(Debug, Default)]
pub struct Nics;

impl Nics {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl nic::Nics for Nics {
    fn count(&self) -> usize {
        found().len()
    }

    fn attributes(&self, nic: usize) -> Option<Attributes> {
        found().get(nic).map(Interface::attributes)
    }

    fn receive(&self, nic: usize, queue: usize, packets: &mut Burst, most: usize) -> Result<usize, Error> {
        self.receive_or_take(nic, queue, packets, most, &mut |_, _| false)
    }

    fn receive_or_take(
        &self,
        nic: usize,
        queue: usize,
        packets: &mut Burst,
        most: usize,
        take: &mut Take<'_>,
    ) -> Result<usize, Error> {
        found().get(nic).ok_or(Error::Nowhere)?.receive(queue, packets, most, take)
    }

    fn send(&self, nic: usize, queue: usize, packets: &mut Burst) -> Result<usize, Error> {
        found().get(nic).ok_or(Error::Nowhere)?.send(queue, packets)
    }

    fn set_interrupts(&self, nic: usize, queue: usize, wanted: Interrupts) -> bool {
        found().get(nic).is_some_and(|interface| interface.set_interrupts(queue, wanted))
    }

    fn is_up(&self, nic: usize) -> bool {
        found().get(nic).is_some_and(Interface::is_up)
    }

    fn set_filter(&self, nic: usize, filter: Filter) -> Result<(), Error> {
        found().get(nic).ok_or(Error::Nowhere)?.set_filter(filter)
    }
}

fn found() -> &'static [Interface] {
    FOUND.call_once(find)
}

fn find() -> Vec<Interface> {
    let mut interfaces = Vec::new();
    Sources::remembered().look(&mut |candidate| {
        let mut configuration: Option<Own> = None;
        let mut keep = |own: Own| {
            configuration = Some(own);
            true
        };
        let known = AnyTransport::known(candidate, virtio::device::NETWORK, true, &mut keep);
        if let (Some((device, interrupts)), Some(own)) = (known, configuration) {
            // One that does not start is none.
            interfaces.extend(Interface::start(device, own, interrupts, interfaces.len() as u8));
        }
        // And on to the next place.
        None
    });
    interfaces.sort_by_key(|interface| interface.attributes().address);
    interfaces
}
