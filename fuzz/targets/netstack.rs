//! A stack on a link where anybody says anything: frames whose checksums are right and whose rest is not, in any order,
//! while time passes. It keeps its bounds, and what it sends is whole.
#![no_main]

use libfuzzer_sys::fuzz_target;
use netstack::{
    Address, Attributes, Bytes, Instant, Medium, Offloads, Packet, Prefix, Stack, interface, neighbours, reassembly,
    udp,
};
use packets::{Checksum, Offload, checksum, checksum::Sum};

const OWN: [u8; 6] = [2, 0, 0, 0, 0, 1];

/// Makes the checksums of a frame right as far as its lengths allow.
fn mend(frame: &mut [u8]) {
    let Some((_, packet)) = frame.split_at_mut_checked(14) else { return };
    let (header, protocol, pseudo) = match packet.first() {
        Some(&byte) if byte >> 4 == 4 && packet.len() >= 20 => {
            let length = usize::from(byte & 15) * 4;
            let Some(header) = packet.get_mut(..length.max(20)) else { return };
            header[10..12].fill(0);
            let sum = checksum::of(header).to_be_bytes();
            header[10..12].copy_from_slice(&sum);
            let quad = |at: usize| <[u8; 4]>::try_from(&packet[at..at + 4]).unwrap();
            (length.max(20), packet[9], (quad(12).into(), quad(16).into()))
        }
        Some(&byte) if byte >> 4 == 6 && packet.len() >= 40 => {
            let sixteen = |at: usize| <[u8; 16]>::try_from(&packet[at..at + 16]).unwrap();
            (40, packet[6], (sixteen(8).into(), sixteen(24).into()))
        }
        _ => return,
    };
    let payload = &mut packet[header..];
    let (at, sum) = match protocol {
        1 | 2 => (2, Sum::new()),
        58 => (2, Sum::new().with_pseudo_header(pseudo.0, pseudo.1, 58, payload.len())),
        6 => (16, Sum::new().with_pseudo_header(pseudo.0, pseudo.1, 6, payload.len())),
        17 => (6, Sum::new().with_pseudo_header(pseudo.0, pseudo.1, 17, payload.len())),
        _ => return,
    };
    let Some(field) = payload.get_mut(at..at + 2) else { return };
    field.fill(0);
    let sum = sum.with(payload).finish().to_be_bytes();
    payload[at..at + 2].copy_from_slice(&sum);
}

fn look(stack: &mut Stack) {
    assert!(stack.ip.neighbours().len() <= neighbours::ENTRIES);
    assert!(stack.ip.reassembly_memory() <= reassembly::MEMORY);
    let sent = stack.outgoing(1).unwrap();
    assert!(sent.len() <= interface::QUEUE);
    for packet in sent.drain(..) {
        assert!(packet.len() <= 1514 && packet.offload.checksum == Checksum::Complete);
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut now = Instant::from_nanos(0);
    let mut stack: Stack = Stack::new([7; 32]);
    let attributes =
        Attributes { address: Some(Address(OWN)), mtu: 1500, queues: 1, offloads: Offloads::empty(), largest: 0 };
    stack.ip.add_interface(now, attributes, Medium::Ethernet(Address(OWN)));
    stack.ip.set_up(now, 1, true).unwrap();
    stack.ip.add_address(now, 1, Prefix::new([10, 0, 0, 1].into(), 24).unwrap()).unwrap();
    stack.ip.autoconfigure(now, 1).unwrap();
    stack.start_dhcp(now, 1).unwrap();
    stack.ip.join(now, 1, [239, 1, 2, 3].into()).unwrap();
    let socket = stack.udp.open(udp::Family::V6).unwrap();
    stack.udp.bind(&stack.ip, socket, "[::]:5".parse().unwrap()).unwrap();
    let listener = stack.tcp.open(tcp::Family::V6).unwrap();
    stack.tcp.bind(&stack.ip, listener, "[::]:80".parse().unwrap()).unwrap();
    stack.tcp.listen(listener, 4).unwrap();
    let mut rest = bytes;
    while let [step, length, after @ ..] = rest {
        let (frame, after) = after.split_at(after.len().min(usize::from(*length)));
        rest = after;
        if step & 0x80 != 0 {
            now += core::time::Duration::from_millis(1 << (step & 15));
            stack.poll(now);
        }
        let mut frame = frame.to_vec();
        if step & 1 == 0 && frame.len() >= 14 {
            frame[..6].copy_from_slice(&OWN);
        }
        if step & 2 == 0 {
            mend(&mut frame);
        }
        stack.receive(now, 1, &mut vec![Packet::received(Bytes::from(frame), Offload::default())]);
        look(&mut stack);
        while stack.udp.receive(socket).is_ok() {}
    }
});
