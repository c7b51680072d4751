//! Interfaces in memory, and wrappers round them.

use std::{
    boxed::Box,
    collections::BTreeMap,
    string::String,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
    vec,
    vec::Vec,
};

use packets::{
    Bytes, Checksum, Instant, Offload, Packet,
    checksum::Sum,
    ethernet,
    ipv4::{self, protocol},
    udp,
};

use super::*;

const PLAIN: Attributes = Attributes {
    address: Some(Address([2, 0, 0, 0, 0, 1])),
    mtu: 1500,
    queues: 2,
    offloads: Offloads::empty(),
    largest: 0,
};

/// A clock that stands until somebody moves it.
#[derive(Clone, Default)]
struct Clock(Arc<AtomicU64>);

impl Clock {
    fn pass(&self, span: Duration) {
        self.0.fetch_add(span.as_nanos() as u64, Relaxed);
    }
}

impl Time for Clock {
    fn now(&self) -> Instant {
        Instant::from_nanos(self.0.load(Relaxed))
    }
}

fn pair() -> Pair {
    Pair::new([PLAIN, PLAIN])
}

fn numbered(number: u32) -> Packet {
    let mut packet = Packet::default();
    assert!(packet.head.push(&number.to_le_bytes()) && packet.head.push(&[0; 60]));
    packet
}

fn number(packet: &Packet) -> u32 {
    u32::from_le_bytes(packet.to_vec()[..4].try_into().unwrap())
}

fn numbers(packets: &[Packet]) -> Vec<u32> {
    packets.iter().map(number).collect()
}

/// A datagram in an Ethernet frame, whose checksum is left to a device.
fn datagram(payload: &[u8]) -> Packet {
    let (source, destination) = ([10, 0, 0, 1].into(), [10, 0, 0, 2].into());
    let length = udp::HEADER + payload.len();
    let pseudo = Sum::new().with_pseudo_header(
        core::net::IpAddr::V4(source),
        core::net::IpAddr::V4(destination),
        protocol::UDP,
        length,
    );
    let header = udp::Header {
        source: 1000.into(),
        destination: 53.into(),
        length: (length as u16).into(),
        checksum: pseudo.folded().into(),
    };
    let mut packet = Packet::default();
    use zerocopy_bytes as bytes;
    assert!(packet.head.push(&bytes(&header)));
    packet.head.prepend(&bytes(&ipv4::Header::new(protocol::UDP, source, destination, 64, length)));
    let frame = ethernet::Header {
        destination: Address::BROADCAST,
        source: Address([2, 0, 0, 0, 0, 1]),
        kind: ethernet::IPV4.into(),
    };
    packet.head.prepend(&bytes(&frame));
    packet.parts.push(Bytes::copy_from_slice(payload));
    packet.offload.checksum = Checksum::Partial { start: 34, offset: 6 };
    packet
}

fn zerocopy_bytes(header: &(impl zerocopy::IntoBytes + zerocopy::Immutable)) -> Vec<u8> {
    header.as_bytes().to_vec()
}

#[test]
fn loopback_hands_over_what_it_gets() {
    let nics = Loopback::new();
    let memory = Bytes::from(vec![7; 5000]);
    let mut packet = Packet::received(memory.clone(), Offload::default());
    packet.offload.checksum = Checksum::Partial { start: 20, offset: 16 };
    assert_eq!(nics.send(0, 0, &mut vec![packet]), Ok(1));
    let mut received = Burst::new();
    assert_eq!(nics.receive(0, 0, &mut received, 10), Ok(1));
    assert_eq!(received[0].parts[0].as_ptr(), memory.as_ptr(), "nothing is copied");
    assert_eq!(received[0].offload.checksum, Checksum::Partial { start: 20, offset: 16 });
    assert_eq!(nics.receive(0, 0, &mut received, 10), Ok(0));
    assert_eq!(nics.receive(1, 0, &mut received, 10), Err(Error::Nowhere));
    assert_eq!(nics.send(0, 1, &mut received), Err(Error::Nowhere));
    assert!(!nics.set_interrupts(0, 0, Interrupts::RECEIVED) && nics.attributes(1).is_none() && nics.is_up(0));
}

#[test]
fn a_full_queue_takes_the_first_ones() {
    let nics = Loopback::new();
    let mut burst: Burst = (0..1030).map(numbered).collect();
    assert_eq!(nics.send(0, 0, &mut burst), Ok(1024));
    assert_eq!(numbers(&burst), [1024, 1025, 1026, 1027, 1028, 1029]);
    assert_eq!(nics.send(0, 0, &mut burst), Ok(0));
    let mut received = Burst::new();
    assert_eq!(nics.receive(0, 0, &mut received, 3), Ok(3));
    assert_eq!(nics.send(0, 0, &mut burst), Ok(3));
    assert_eq!(nics.receive(0, 0, &mut received, usize::MAX), Ok(1024));
    assert!(numbers(&received).into_iter().eq(0..1027));
}

#[test]
fn ends_of_a_pair_meet_queue_by_queue() {
    let nics = Pair::new([PLAIN, Attributes { queues: 3, ..PLAIN }]);
    assert_eq!(nics.attributes(1).unwrap().queues, 2);
    nics.send(0, 0, &mut vec![numbered(1)]).unwrap();
    nics.send(1, 1, &mut vec![numbered(2)]).unwrap();
    let received = |nic, queue| {
        let mut packets = Burst::new();
        nics.receive(nic, queue, &mut packets, 10).map(|_| numbers(&packets))
    };
    assert_eq!((received(0, 0), received(1, 1)), (Ok(vec![]), Ok(vec![])));
    assert_eq!((received(1, 0), received(0, 1)), (Ok(vec![1]), Ok(vec![2])));
    assert_eq!(received(2, 0), Err(Error::Nowhere));
    assert_eq!(nics.send(2, 0, &mut vec![numbered(2)]), Err(Error::Nowhere));
    assert_eq!(nics.send(0, 2, &mut vec![numbered(2)]), Err(Error::Nowhere));
}

/// Blocks of a record: type and body.
fn blocks(mut bytes: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let mut blocks = vec![];
    let word = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    while !bytes.is_empty() {
        let length = word(bytes, 4) as usize;
        assert!(length.is_multiple_of(4) && word(bytes, length - 4) as usize == length);
        blocks.push((word(bytes, 0), bytes[8..length - 4].to_vec()));
        bytes = &bytes[length..];
    }
    blocks
}

#[test]
fn a_record_is_begun_and_ended_on_a_running_interface() {
    let clock = Clock::default();
    let nics = Recorded::new(pair(), clock.clone());
    let file: Arc<Mutex<Vec<u8>>> = Arc::default();
    nics.send(0, 0, &mut vec![numbered(1)]).unwrap();
    let sink = file.clone();
    nics.start(Box::new(move |bytes: &[u8]| sink.lock().unwrap().extend_from_slice(bytes)));
    clock.pass(Duration::from_nanos(0x1_2345_6789));
    let mut packets = vec![datagram(b"odd")];
    assert_eq!(nics.send(1, 0, &mut packets), Ok(1));
    assert_eq!(nics.receive(1, 0, &mut packets, 9), Ok(1));
    assert_eq!(numbers(&packets), [1], "what is recorded is not taken");
    nics.stop();
    nics.send(0, 0, &mut packets).unwrap();
    let blocks = blocks(&file.lock().unwrap());
    let kinds: Vec<u32> = blocks.iter().map(|block| block.0).collect();
    assert_eq!(kinds, [0x0a0d_0d0a, 1, 1, 6, 6]);
    assert_eq!(blocks[1].1[..2], [1, 0], "Ethernet");
    let sent = &blocks[3].1;
    assert_eq!(sent[..20], [1, 0, 0, 0, 1, 0, 0, 0, 0x89, 0x67, 0x45, 0x23, 45, 0, 0, 0, 45, 0, 0, 0]);
    assert_eq!((&sent[62..65], &sent[65..68]), (&b"odd"[..], &[0; 3][..]));
    assert_eq!((sent[72], blocks[4].1[20 + 64 + 4]), (2, 1), "sent, received");
}

#[test]
fn a_full_interface_is_recorded_as_it_took() {
    let nics = Recorded::new(Loopback::new(), Clock::default());
    let file: Arc<Mutex<Vec<u8>>> = Arc::default();
    let sink = file.clone();
    nics.start(Box::new(move |bytes: &[u8]| sink.lock().unwrap().extend_from_slice(bytes)));
    let mut burst: Burst = (0..1030).map(numbered).collect();
    assert_eq!((nics.send(0, 0, &mut burst), burst.len()), (Ok(1024), 6));
    assert_eq!(blocks(&file.lock().unwrap()).len(), 2 + 1024);
}

#[test]
fn each_packet_is_a_line() {
    let lines: Arc<Mutex<Vec<String>>> = Arc::default();
    let told = lines.clone();
    let clock = Clock::default();
    clock.pass(Duration::from_millis(1_500));
    let nics = Traced::new(pair(), clock, move |line: &str| told.lock().unwrap().push(line.into()));
    nics.send(0, 1, &mut vec![numbered(1)]).unwrap();
    nics.switch(true);
    nics.send(0, 1, &mut vec![datagram(b"query")]).unwrap();
    let mut packets = Burst::new();
    nics.receive(1, 1, &mut packets, 9).unwrap();
    nics.switch(false);
    nics.send(0, 1, &mut packets).unwrap();
    let ethernet = "02:00:00:00:00:01 > ff:ff:ff:ff:ff:ff";
    let datagram = std::format!("{ethernet}, 10.0.0.1.1000 > 10.0.0.2.53: UDP payload 5");
    let nothing = "00:00:00:00:00:00 > 01:00:00:00:00:00, type 0x0000";
    assert_eq!(
        *lines.lock().unwrap(),
        [
            std::format!("1.500000000 nic0.1 > 47 bytes {datagram}"),
            std::format!("1.500000000 nic1.1 < 64 bytes {nothing}"),
            std::format!("1.500000000 nic1.1 < 47 bytes {datagram}"),
        ]
    );
}

/// Sends numbered packets from interface 0 of a pair, a microsecond apart; what arrives at the other, and when.
fn journey(faults: Faults, seed: u64, count: u32) -> Vec<(u64, Packet)> {
    let clock = Clock::default();
    let nics = Faulty::new(pair(), clock.clone(), seed);
    nics.switch(Faults::default(), faults);
    let mut arrived = vec![];
    let mut look = |nics: &Faulty<Pair, Clock>| {
        let mut packets = Burst::new();
        nics.receive(1, 0, &mut packets, usize::MAX).unwrap();
        arrived.extend(packets.into_iter().map(|packet| (clock.now().as_nanos(), packet)));
    };
    for number in 0..count {
        nics.send(0, 0, &mut vec![numbered(number)]).unwrap();
        look(&nics);
        clock.pass(Duration::from_micros(1));
    }
    while let Some(deadline) = nics.deadline() {
        assert!(!nics.set_interrupts(0, 0, Interrupts::RECEIVED), "nobody interrupts for what is under way");
        clock.pass(deadline.since(clock.now()));
        nics.poll().unwrap();
        look(&nics);
    }
    arrived
}

fn near(count: usize, expected: usize) -> bool {
    count.abs_diff(expected) < expected / 4
}

const COUNT: u32 = if cfg!(miri) { 400 } else { 4000 };

#[test]
fn chances_are_met_and_seeds_repeat() {
    let tenth = 100_000;
    let numbered =
        |faults, seed| numbers(&journey(faults, seed, COUNT).into_iter().map(|(_, packet)| packet).collect::<Vec<_>>());
    let lost = numbered(Faults { loss: tenth, ..Faults::default() }, 1);
    assert!(near(COUNT as usize - lost.len(), COUNT as usize / 10), "{}", lost.len());
    assert_eq!(lost, numbered(Faults { loss: tenth, ..Faults::default() }, 1));
    assert_ne!(lost, numbered(Faults { loss: tenth, ..Faults::default() }, 2));
    let doubled = numbered(Faults { duplication: tenth, ..Faults::default() }, 1);
    assert!(near(doubled.len() - COUNT as usize, COUNT as usize / 10) && doubled.is_sorted());
    let mut times = BTreeMap::new();
    doubled.iter().for_each(|number| *times.entry(number).or_insert(0) += 1);
    assert!(times.len() == COUNT as usize && times.values().all(|&count| count < 3));
    assert!(numbered(Faults::default(), 5).into_iter().eq(0..COUNT));
}

#[test]
fn delays_are_kept_and_detours_overtaken() {
    let (delay, jitter) = (Duration::from_micros(500), Duration::from_micros(200));
    let late = journey(Faults { delay, jitter, ..Faults::default() }, 3, COUNT);
    assert!(late.iter().map(|(_, packet)| number(packet)).eq(0..COUNT), "jitter keeps the order");
    for (at, packet) in &late {
        let took = at - u64::from(number(packet)) * 1000;
        assert!((500_000..=700_000).contains(&took), "{took}");
    }
    let faults = Faults { delay, reordering: 100_000, detour: Duration::from_micros(10), ..Faults::default() };
    let overtaken = journey(faults, 3, COUNT);
    let numbers: Vec<u32> = overtaken.iter().map(|(_, packet)| number(packet)).collect();
    assert!(!numbers.is_sorted() && numbers.len() == COUNT as usize);
    let behind = numbers.windows(2).filter(|pair| pair[0] > pair[1]).count();
    assert!(near(behind, COUNT as usize / 10), "{behind}");
}

#[test]
fn damage_is_one_bit_that_nobody_vouches_for() {
    let clock = Clock::default();
    let nics = Faulty::new(pair(), clock, 9);
    nics.switch(Faults { corruption: 1_000_000, ..Faults::default() }, Faults::default());
    let good = checksum::completed(&datagram(b"payload")).unwrap();
    let sum = Sum::new().with_pseudo_header(
        core::net::IpAddr::from([10, 0, 0, 1]),
        core::net::IpAddr::from([10, 0, 0, 2]),
        protocol::UDP,
        15,
    );
    assert!(sum.with(&good[34..]).is_right(), "what a device would have written");
    for _ in 0..50 {
        nics.send(0, 0, &mut vec![datagram(b"payload")]).unwrap();
        let mut packets = Burst::new();
        assert_eq!(nics.receive(1, 0, &mut packets, 1), Ok(1));
        assert_eq!(packets[0].offload, Offload::default());
        let bytes = packets[0].to_vec();
        let wrong: u32 = bytes.iter().zip(&good).map(|(one, other)| (one ^ other).count_ones()).sum();
        assert_eq!((bytes.len(), wrong), (good.len(), 1));
    }
    let mut segments = datagram(b"payload");
    segments.offload.segmentation = Some(packets::Segmentation { kind: packets::SegmentationKind::Udp, size: 3 });
    nics.send(0, 0, &mut vec![segments]).unwrap();
    assert_eq!(nics.receive(1, 0, &mut Burst::new(), 1), Ok(0));
}

#[test]
fn what_a_full_interface_refuses_is_not_lost() {
    let nics = Faulty::new(Loopback::new(), Clock::default(), 1);
    nics.switch(Faults::default(), Faults::default());
    let mut burst: Burst = (0..1500).map(numbered).collect();
    assert_eq!(nics.send(0, 0, &mut burst), Ok(1500));
    assert_eq!(nics.send(0, 1, &mut burst), Err(Error::Nowhere));
    let mut received = Burst::new();
    assert_eq!(nics.receive(0, 0, &mut received, usize::MAX), Ok(1024));
    assert_eq!(nics.receive(0, 0, &mut received, usize::MAX), Ok(476));
    assert!(numbers(&received).into_iter().eq(0..1500));
}
