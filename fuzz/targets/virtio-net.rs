//! A network device that says what it likes: headers before packets, lengths, and any bytes in the rings. The driver
//! gives packets whose offloads lie inside them, gives memory back once, or calls the device broken.
#![no_main]

use std::ptr::NonNull;

use libfuzzer_sys::fuzz_target;
use packets::{Bytes, Checksum, Offload, Packet, Segmentation, SegmentationKind};
use virtio::{
    Lent, Shared,
    net::{BUFFER, Buffer, Configuration, Device, QUEUE_MEMORY, SLOTS_MEMORY},
    queue::Areas,
    transport::{Status, Transport},
};

/// A device that agrees with everything.
struct Agreeing(Status);

impl Transport for Agreeing {
    fn device_id(&self) -> u32 {
        1
    }

    fn status(&self) -> Status {
        self.0
    }

    fn set_status(&mut self, status: Status) {
        self.0 = status;
    }

    fn offered_features(&mut self) -> u64 {
        u64::MAX
    }

    fn accept_features(&mut self, _: u64) {}

    fn queue_limit(&mut self, _: u16) -> u16 {
        1024
    }

    fn start_queue(&mut self, _: u16, _: u16, _: &Areas) -> bool {
        true
    }

    fn notify(&self, _: u16) {}
}

fn memory(length: usize) -> (Box<[u128]>, Shared) {
    let mut memory = vec![0_u128; length.div_ceil(16)].into_boxed_slice();
    let start = NonNull::new(memory.as_mut_ptr()).unwrap().cast();
    // SAFETY: it lives until the end of the run, and is only reached by this from now on.
    let shared = unsafe { Shared::new(start, 0x1000, length) };
    (memory, shared)
}

/// A buffer that the device fills when it is asked for.
struct Memory(Box<[u8]>);

std::thread_local! {
    /// What the device writes to the beginning of the next buffer.
    static WRITTEN: std::cell::Cell<[u8; 12]> = const { std::cell::Cell::new([0; 12]) };
}

impl Buffer for Memory {
    fn fresh() -> Option<Self> {
        Some(Self(vec![0x55; BUFFER].into()))
    }

    fn lend(&mut self) -> Option<Lent> {
        // SAFETY: nobody reaches the address.
        Some(unsafe { Lent::new(0x10_0000, BUFFER as u32, true) })
    }

    fn look(&mut self, length: usize) -> &[u8] {
        self.0[..12].copy_from_slice(&WRITTEN.get());
        &self.0[..length]
    }

    fn filled(mut self, length: usize) -> Bytes {
        self.look(length);
        Bytes::from(self.0.into_vec()).slice(..length)
    }
}

fn check(packet: &Packet) {
    assert!(!packet.is_empty());
    if let Checksum::Partial { start, offset } = packet.offload.checksum {
        assert!(usize::from(start) + usize::from(offset) + 2 <= packet.len());
    }
    if let Some(Segmentation { size, .. }) = packet.offload.segmentation {
        assert!(size > 0 && packet.offload.checksum != Checksum::Complete);
    }
}

/// A packet to be sent, with offloads of any kind.
fn packet(word: u8) -> Packet {
    let checksum = Checksum::Partial { start: u16::from(word), offset: 16 };
    let segmentation = Segmentation { kind: SegmentationKind::TcpIpv4, size: u16::from(word & 7) };
    let offload = Offload {
        checksum: if word & 1 == 0 { checksum } else { Checksum::Complete },
        segmentation: Some(segmentation).filter(|_| word & 2 == 0),
    };
    let mut packet = Packet { offload, ..Packet::default() };
    packet.head.push(&[word; 100][..usize::from(word % 100)]);
    packet.parts.extend((0..word / 8).map(|_| Bytes::from(vec![word; 50])));
    packet
}

fuzz_target!(|bytes: &[u8]| {
    let (_receiving, receiving) = memory(QUEUE_MEMORY);
    let (_sending, sending) = memory(QUEUE_MEMORY);
    let (_slots, slots) = memory(SLOTS_MEMORY);
    let mut said = bytes.iter().copied();
    let mut next = || said.next();
    let first: Vec<u8> = (0..12).filter_map(|_| next()).collect();
    let configuration = Configuration::read(|at| first.get(at).copied().unwrap_or(0));
    let mut device = Device::begin(Agreeing(Status::empty()), configuration).unwrap();
    let mut receive = device.receive::<Memory>(0, &receiving).unwrap();
    let mut transmit = device.transmit(0, &sending, slots).unwrap();
    receive.refill();
    device.finish();
    // SAFETY: nobody reaches the address.
    let mut lend = |bytes: &[u8]| Some(unsafe { Lent::new(0x20_0000, bytes.len() as u32, false) });
    let used = 256 * 16 + 4 + 256 * 2 + 4;
    let mut given = [0_u16; 2];
    // The device gives back the descriptor of this number.
    let mut give = |rings: &Shared, side: usize, head: u32, written: u32| {
        let at = used + 4 + 8 * usize::from(given[side] % 256);
        rings.write(at, &head.to_le_bytes());
        rings.write(at + 4, &written.to_le_bytes());
        given[side] = given[side].wrapping_add(1);
        rings.write(used + 2, &given[side].to_le_bytes());
    };
    let mut heads = 0_u32;
    while let Some(step) = next() {
        match step % 6 {
            0 | 1 => {
                let Some(word) = next() else { return };
                let mut burst = vec![packet(word)];
                match transmit.send(&mut burst, &mut lend) {
                    Ok(count) => assert_eq!(count + burst.len(), 1),
                    Err(_) => return,
                }
            }
            2 => {
                let Some(length) = next() else { return };
                WRITTEN.set(std::array::from_fn(|_| next().unwrap_or(0)));
                give(&receiving, 0, heads % 128, u32::from(length) * 9);
                heads += 1;
                let mut packets = vec![];
                if receive.receive(&mut packets, 4, &mut |frame, _| frame.len() % 3 == 0).is_err() {
                    return;
                }
                packets.iter().for_each(check);
            }
            3 => _ = receive.refill(),
            4 => {
                give(&sending, 1, u32::from(step / 6), 0);
                if transmit.reclaim().is_err() {
                    return;
                }
            }
            _ => {
                let (Some(low), Some(high), Some(value)) = (next(), next(), next()) else { return };
                let at = usize::from(u16::from_le_bytes([low, high])) % QUEUE_MEMORY;
                if step & 0x80 != 0 {
                    receiving.write(at, &[value])
                } else {
                    sending.write(at, &[value])
                };
            }
        }
    }
});
