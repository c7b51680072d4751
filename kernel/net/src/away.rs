//! Interfaces of a machine whose packets may be its own or not, as the command says.

use ::nic::{Attributes, Burst, Error, Filter, Interrupts, Nics, Offloads, Take, packets::ethernet::Address};
use contracts::{nic, outside};
use sockets::Reach;

/// The image's interfaces. Where sockets of the host's carry what leaves the machine, there is one that carries
/// nothing: it shows programs that the machine has an address and a way out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Away;

/// As QEMU's own network has them.
const ADDRESS: [u8; 6] = [0x02, 0x5a, 0x5a, 0x5a, 0x5a, 0];
const MTU: usize = 1500;

fn is_shown() -> bool {
    outside::reach() == Reach::Published
}

impl Nics for Away {
    fn count(&self) -> usize {
        if is_shown() { 1 } else { nic::count() }
    }

    fn attributes(&self, number: usize) -> Option<Attributes> {
        if !is_shown() {
            return nic::attributes(number);
        }
        let address = Some(Address(ADDRESS));
        Some(Attributes { address, mtu: MTU, queues: 1, offloads: Offloads::empty(), largest: MTU })
    }

    fn receive(&self, number: usize, queue: usize, packets: &mut Burst, most: usize) -> Result<usize, Error> {
        if is_shown() { Ok(0) } else { nic::receive(number, queue, packets, most) }
    }

    fn receive_or_take(
        &self,
        number: usize,
        queue: usize,
        packets: &mut Burst,
        most: usize,
        take: &mut Take<'_>,
    ) -> Result<usize, Error> {
        if is_shown() { Ok(0) } else { nic::receive_or_take(number, queue, packets, most, take) }
    }

    fn send(&self, number: usize, queue: usize, packets: &mut Burst) -> Result<usize, Error> {
        if !is_shown() {
            return nic::send(number, queue, packets);
        }
        let count = packets.len();
        packets.clear();
        Ok(count)
    }

    fn set_interrupts(&self, number: usize, queue: usize, wanted: Interrupts) -> bool {
        is_shown() || nic::set_interrupts(number, queue, wanted)
    }

    fn is_up(&self, number: usize) -> bool {
        is_shown() || nic::is_up(number)
    }

    fn set_filter(&self, number: usize, filter: Filter) -> Result<(), Error> {
        if is_shown() { Ok(()) } else { nic::set_filter(number, filter) }
    }
}
