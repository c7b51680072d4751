//! What carries our TCP.

use std::time::Duration;

use netstack::{Address, Attributes, Medium, Offloads, Prefix, Stack};
use packets::{Bytes, Instant, Offload, Packet};
use tcp::{Limits, Network, Tcp};

use crate::bare::Machine;
use crate::host::Place;
use crate::peers::framed::{framed, unframed};
use crate::random::Random;

/// Frames in and out, and TCP with its network.
pub trait Below {
    /// Its name.
    fn name(&self) -> &'static str;
    /// TCP.
    fn tcp(&self) -> &Tcp;
    /// TCP, to be asked for something.
    fn tcp_mut(&mut self) -> &mut Tcp {
        self.parts().0
    }
    /// TCP, and what its calls send through.
    fn parts(&mut self) -> (&mut Tcp, &mut dyn Network);
    /// Frames have come.
    fn receive(&mut self, now: Instant, frames: &mut Vec<Vec<u8>>);
    /// Something is due.
    fn poll(&mut self, now: Instant);
    /// When the next thing is due.
    fn deadline(&self) -> Option<Instant>;
    /// Frames go.
    fn take_frames(&mut self, to: &mut Vec<Vec<u8>>);
}

/// TCP over as little IP as there can be.
pub struct Bare {
    machine: Machine,
    place: Place,
}

fn secret(seed: u64) -> [u8; 32] {
    let mut random = Random::new(seed);
    std::array::from_fn(|_| random.next() as u8)
}

/// A machine whose TCP is over as little IP as there can be.
pub fn bare(place: Place, seed: u64) -> Bare {
    let addresses = vec![place.ipv4(), place.ipv6()];
    Bare { machine: Machine::new(addresses, place.mtu, secret(seed), Limits::default()), place }
}

impl Below for Bare {
    fn name(&self) -> &'static str {
        "our TCP"
    }

    fn tcp(&self) -> &Tcp {
        &self.machine.tcp
    }

    fn parts(&mut self) -> (&mut Tcp, &mut dyn Network) {
        (&mut self.machine.tcp, &mut self.machine.ip)
    }

    fn receive(&mut self, now: Instant, frames: &mut Vec<Vec<u8>>) {
        for frame in frames.drain(..) {
            self.machine.receive(now, unframed(frame));
        }
    }

    fn poll(&mut self, now: Instant) {
        self.machine.tcp.poll(now, &mut self.machine.ip);
    }

    fn deadline(&self) -> Option<Instant> {
        self.machine.tcp.deadline()
    }

    fn take_frames(&mut self, to: &mut Vec<Vec<u8>>) {
        to.extend(self.machine.ip.outgoing.drain(..).map(|packet| framed(self.place, &packet)));
    }
}

/// All of our stack.
pub struct Whole {
    stack: Stack,
    place: Place,
    /// Frames have a header of Ethernet, and neighbours are asked for.
    neighbours: bool,
}

/// The only interface.
const LINK: u32 = 1;

/// For so long a host asks whether somebody has its addresses (RFC 4862, 5.4): more than that is over before the run.
pub const SETTLING: Duration = Duration::from_secs(3);

/// A machine with our stack, whose addresses are settled [`SETTLING`] before its run begins.
pub fn whole(place: Place, seed: u64, neighbours: bool) -> Whole {
    let (mut stack, start) = (Stack::new(secret(seed)), Instant::default());
    let address = Address(place.hardware());
    let medium = if neighbours { Medium::Ethernet(address) } else { Medium::Ip };
    let address = neighbours.then_some(address);
    let attributes = Attributes { address, mtu: place.mtu, queues: 1, offloads: Offloads::empty(), largest: 0 };
    let link = stack.ip.add_interface(start, attributes, medium);
    stack.ip.set_up(start, link, true).expect("there is an interface");
    for (address, length) in [(place.ipv4(), 24), (place.ipv6(), 64)] {
        let prefix = Prefix::new(address, length).expect("the length fits");
        stack.ip.add_address(start, link, prefix).expect("there is room for two addresses");
    }
    while let Some(due) = stack.deadline().filter(|&due| due <= start + SETTLING) {
        stack.poll(due);
    }
    stack.outgoing(link).expect("there is an interface").clear();
    Whole { stack, place, neighbours }
}

impl Below for Whole {
    fn name(&self) -> &'static str {
        "our stack"
    }

    fn tcp(&self) -> &Tcp {
        &self.stack.tcp
    }

    fn parts(&mut self) -> (&mut Tcp, &mut dyn Network) {
        (&mut self.stack.tcp, &mut self.stack.ip)
    }

    fn receive(&mut self, now: Instant, frames: &mut Vec<Vec<u8>>) {
        let bytes = |frame| Bytes::from(if self.neighbours { frame } else { unframed(frame) });
        let packet = |frame| Packet::received(bytes(frame), Offload::default());
        let mut burst = frames.drain(..).map(packet).collect();
        self.stack.receive(now, LINK, &mut burst);
    }

    fn poll(&mut self, now: Instant) {
        self.stack.poll(now);
    }

    fn deadline(&self) -> Option<Instant> {
        self.stack.deadline()
    }

    fn take_frames(&mut self, to: &mut Vec<Vec<u8>>) {
        let packets = self.stack.outgoing(LINK).expect("there is an interface").drain(..);
        let frames = packets.map(|packet| packet.to_vec());
        let (place, neighbours) = (self.place, self.neighbours);
        to.extend(frames.map(|frame| if neighbours { frame } else { framed(place, &frame) }));
    }
}
