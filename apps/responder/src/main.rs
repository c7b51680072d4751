//! Answers ARP, pings and UDP datagrams on the first network interface, frame by frame: there is no network stack in
//! this image. A datagram of the word `end` ends it; then it says how much it has seen.
#![no_std]
#[macro_use]
extern crate whittle_std as std;

mod answer;

use std::nic::{self, Burst};
use std::process::ExitCode;

/// Packets that are taken of a queue at a time.
const MOST: usize = 64;

/// The application: the image calls it when the machine is ready.
pub fn main() -> ExitCode {
    let Some(attributes) = nic::attributes(0) else {
        println!("this machine has no network interface: give it one by --nic");
        return ExitCode::FAILURE;
    };
    let Some(address) = attributes.address else {
        println!("the interface is no Ethernet");
        return ExitCode::FAILURE;
    };
    let (queues, mtu, offloads) = (attributes.queues, attributes.mtu, attributes.offloads);
    println!("ready at {address}, MTU {mtu}, queues {queues}, offloads {:#x}", offloads.bits());
    let (mut taken, mut bursts) = (0, 0);
    let mut packets = Burst::new();
    loop {
        match nic::wait(0, &mut packets, MOST) {
            Ok(count) => (taken, bursts) = (taken + count, bursts + 1),
            Err(error) => {
                println!("the interface fails: {error:?}");
                return ExitCode::FAILURE;
            }
        }
        let mut ended = false;
        packets.retain_mut(|packet| answer::answer(packet, address, &mut ended));
        while !packets.is_empty() && nic::send(0, 0, &mut packets).is_ok() {}
        if ended {
            println!("{taken} packets in {bursts} bursts");
            return ExitCode::SUCCESS;
        }
    }
}
