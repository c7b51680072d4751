//! A key-value store over UDP on the first network interface, frame by frame: there is no network stack in this image.
//! It takes bursts, and has no memory of its own for a request: an answer is written into its packet's head.
#![no_std]
#[macro_use]
extern crate whittle_std as std;

mod frame;
mod request;
mod table;

use std::nic::{self, Burst, packets::Packet};
use std::process::ExitCode;

use frame::Frames;
use table::Table;

/// Packets that are taken of a queue at a time.
const MOST: usize = 64;

/// The application: the image calls it when the machine is ready.
pub fn main() -> ExitCode {
    let Some(frames) = nic::attributes(0).and_then(Frames::new) else {
        println!("this machine has no Ethernet interface: give it one by --nic");
        return ExitCode::FAILURE;
    };
    println!("ready at {}", frames.address());
    let (mut table, mut packets) = (Table::new(), Burst::new());
    loop {
        if let Err(error) = nic::wait(0, &mut packets, MOST) {
            println!("the interface fails: {error:?}");
            return ExitCode::FAILURE;
        }
        let mut ended = false;
        packets.retain_mut(|packet| {
            frames.answer(packet, &mut |request, answer| request::serve(request, answer, &mut table, &mut ended))
        });
        send(&mut packets);
        if ended {
            return ExitCode::SUCCESS;
        }
    }
}

/// Sends them all. What the device refuses is lost, as UDP may lose.
fn send(packets: &mut std::vec::Vec<Packet>) {
    while !packets.is_empty() && nic::send(0, 0, packets).is_ok() {}
    packets.clear();
}
