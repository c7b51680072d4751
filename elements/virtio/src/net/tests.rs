//! A network device behind a transport of its own: one that behaves, and ones that do not.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    vec,
    vec::Vec,
};

use packets::{Bytes, Checksum, Offload, Packet, Segmentation, SegmentationKind};

use super::{header::HEADER, *};
use crate::{
    Lent,
    fake::DeviceQueue,
    queue::{Areas, Broken},
    shared::tests::leak,
    transport::Status,
};

const BASE: u64 = 0x4000_0000;
const MEMORY: usize = 1 << 20;
/// Behind rings and slots, where buffers and what is lent lie.
const BUFFERS_AT: usize = 0x4_0000;

std::thread_local! {
    /// The memory of this test, and what of it is taken by buffers.
    static TAKEN: Cell<Option<(Shared, usize)>> = const { Cell::new(None) };
}

/// A stretch of the test's memory.
fn part(length: usize) -> Option<Shared> {
    let (memory, at) = TAKEN.get()?;
    TAKEN.set(Some((memory, at + length)));
    memory.part(at, length)
}

struct Memory(Shared, Vec<u8>);

impl Buffer for Memory {
    fn fresh() -> Option<Self> {
        part(BUFFER).map(|memory| Self(memory, Vec::new()))
    }

    fn lend(&mut self) -> Option<Lent> {
        Some(self.0.lend(true))
    }

    fn look(&mut self, length: usize) -> &[u8] {
        self.1 = vec![0; length];
        self.0.read(0, &mut self.1);
        &self.1
    }

    fn filled(mut self, length: usize) -> Bytes {
        self.look(length);
        Bytes::from(self.1)
    }
}

/// Copies what is lent to where the device reaches it.
fn lend(bytes: &[u8]) -> Option<Lent> {
    let part = part(bytes.len())?;
    part.write(0, bytes);
    Some(part.lend(false))
}

struct Host {
    memory: Shared,
    status: Status,
    features: u64,
    queues: [DeviceQueue; 5],
    notified: Vec<u16>,
    /// Commands that came, all of which are done.
    commands: Vec<Vec<u8>>,
}

#[derive(Clone)]
struct Nic(Rc<RefCell<Host>>);

impl Nic {
    fn new(features: u64) -> Self {
        let memory = leak(BASE, MEMORY);
        TAKEN.set(Some((memory, BUFFERS_AT)));
        let features = features | device::VERSION_1;
        let queues = [DeviceQueue::default(); 5];
        let (status, notified, commands) = (Status::empty(), vec![], vec![]);
        Self(Rc::new(RefCell::new(Host { memory, status, features, queues, notified, commands })))
    }

    /// A packet comes in buffers of these lengths.
    fn deliver(&self, queue: usize, header: [u8; HEADER], bytes: &[u8], pieces: &[usize]) {
        let host = &mut *self.0.borrow_mut();
        let all = [&header[..], bytes].concat();
        let mut rest = &all[..];
        for &piece in pieces {
            let (head, parts) = host.queues[queue].next(&host.memory).expect("a buffer is ready");
            assert!(parts.len() == 1 && parts[0].writable && parts[0].length as usize == BUFFER);
            let (now, later) = rest.split_at(piece.min(rest.len()));
            host.memory.write((parts[0].address - BASE) as usize, now);
            host.queues[queue].give(&host.memory, head.into(), now.len() as u32);
            rest = later;
        }
    }

    /// What was sent, and in how many stretches; given back.
    fn sent(&self, queue: usize) -> Vec<(Vec<u8>, usize)> {
        let host = &mut *self.0.borrow_mut();
        let mut sent = vec![];
        while let Some((head, parts)) = host.queues[queue].next(&host.memory) {
            let mut all = vec![];
            for part in &parts {
                assert!(!part.writable && part.length > 0);
                let mut bytes = vec![0; part.length as usize];
                host.memory.read((part.address - BASE) as usize, &mut bytes);
                all.extend(bytes);
            }
            sent.push((all, parts.len()));
            host.queues[queue].give(&host.memory, head.into(), 0);
        }
        sent
    }
}

impl Transport for Nic {
    fn device_id(&self) -> u32 {
        device::NETWORK
    }

    fn status(&self) -> Status {
        self.0.borrow().status
    }

    fn set_status(&mut self, status: Status) {
        self.0.borrow_mut().status = status;
    }

    fn offered_features(&mut self) -> u64 {
        self.0.borrow().features
    }

    fn accept_features(&mut self, features: u64) {
        self.0.borrow_mut().features = features;
    }

    fn queue_limit(&mut self, queue: u16) -> u16 {
        if queue < 5 { 256 } else { 0 }
    }

    fn start_queue(&mut self, queue: u16, size: u16, areas: &Areas) -> bool {
        let addresses = [areas.descriptors, areas.available, areas.used];
        self.0.borrow_mut().queues[usize::from(queue)] =
            DeviceQueue { size: size.into(), ready: true, addresses, ..DeviceQueue::default() };
        true
    }

    fn notify(&self, queue: u16) {
        let host = &mut *self.0.borrow_mut();
        host.notified.push(queue);
        if let Some(control) = host.queues.get_mut(4).filter(|_| queue == 4) {
            let (head, parts) = control.next(&host.memory).unwrap();
            let mut command = vec![0; parts[0].length as usize];
            host.memory.read((parts[0].address - BASE) as usize, &mut command);
            host.commands.push(command);
            host.memory.write((parts[1].address - BASE) as usize, &[0]);
            control.give(&host.memory, head.into(), 1);
        }
    }
}

const CONFIGURATION: Configuration = Configuration { address: [2, 0, 0, 0, 0, 9], pairs: 2, mtu: 1400 };

type Pair = (Receive<Memory>, Transmit);

fn start(nic: &Nic, pairs: u16) -> (Device<Nic>, Vec<Pair>) {
    let memory = nic.0.borrow().memory;
    let mut device = Device::begin(nic.clone(), CONFIGURATION).unwrap();
    let lines = (0..pairs).map(|pair| {
        let at = usize::from(pair) * 0x1_4000;
        let part = |at, length| memory.part(at, length).unwrap();
        let mut receive = device.receive(pair, &part(at, QUEUE_MEMORY)).unwrap();
        let transmit = device.transmit(pair, &part(at + 0x4000, QUEUE_MEMORY), part(at + 0x8000, SLOTS_MEMORY));
        assert!(receive.refill());
        (receive, transmit.unwrap())
    });
    let lines = lines.collect();
    (device, lines)
}

fn received(receive: &mut Receive<Memory>, most: usize) -> Vec<Packet> {
    let mut packets = vec![];
    receive.receive(&mut packets, most, &mut |_, _| false).unwrap();
    packets
}

fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|at| (at * 7 % 251) as u8).collect()
}

const fn one() -> [u8; HEADER] {
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]
}

#[test]
fn what_a_device_says_is_what_it_has() {
    let (device, _) = start(&Nic::new(feature::ALL), 1);
    assert_eq!((device.pairs(), device.address(), device.mtu()), (2, Some([2, 0, 0, 0, 0, 9]), Some(1400)));
    assert!(device.completes_checksums() && device.checks() && device.cuts() == [true; 3] && device.coalesces());
    assert!(device.is_up(|at| u8::from(at == 6)) && !device.is_up(|_| 0));
    let without = feature::CHECKSUM | feature::MERGEABLE | feature::CONTROL | feature::MTU | feature::STATUS;
    let (device, _) = start(&Nic::new(feature::ALL & !without), 1);
    assert_eq!((device.pairs(), device.address(), device.mtu()), (1, Some([2, 0, 0, 0, 0, 9]), None));
    assert!(!device.completes_checksums() && device.cuts() == [false; 3] && !device.coalesces() && device.is_up(|_| 0));
    assert_eq!(Configuration::read(|at| [2, 0, 0, 0, 0, 9, 1, 0, 2, 0, 0x78, 5][at]), CONFIGURATION);
}

#[test]
fn short_packets_are_taken_where_they_lie() {
    let nic = Nic::new(feature::ALL);
    let (_, mut lines) = start(&nic, 1);
    let receive = &mut lines[0].0;
    for length in [60, 61, 62, 1500, 63] {
        nic.deliver(0, one(), &bytes(length), &[BUFFER]);
    }
    let (mut shown, mut packets) = (vec![], vec![]);
    let mut take = |frame: &[u8], _: &Offload| {
        assert!(frame == bytes(frame.len()));
        shown.push(frame.len());
        frame.len() != 62
    };
    // The one that is not taken is added, and so is what comes behind it, in order.
    assert_eq!(receive.receive(&mut packets, 4, &mut take).unwrap(), 4);
    assert!(packets.iter().map(Packet::len).eq([62, 1500]));
    packets.clear();
    assert_eq!(receive.receive(&mut packets, 4, &mut take).unwrap(), 1);
    assert!(packets.is_empty() && shown == [60, 61, 62, 63]);
}

#[test]
fn packets_come_in_one_buffer_and_in_several() {
    let nic = Nic::new(feature::ALL);
    let (_, mut lines) = start(&nic, 1);
    let receive = &mut lines[0].0;
    for round in 0..if cfg!(miri) { 3 } else { 60 } {
        nic.deliver(0, one(), &bytes(60 + round), &[BUFFER]);
        nic.deliver(0, [1, 1, 54, 0, 0x64, 5, 34, 0, 16, 0, 3, 0], &bytes(5000), &[BUFFER, BUFFER, BUFFER]);
        let packets = received(receive, 10);
        assert_eq!(packets.len(), 2);
        assert!(packets[0].to_vec() == bytes(60 + round) && packets[0].offload == Offload::default());
        assert!(packets[1].to_vec() == bytes(5000) && packets[1].parts.len() == 3);
        let segmentation = Some(Segmentation { kind: SegmentationKind::TcpIpv4, size: 1380 });
        assert_eq!(packets[1].offload, Offload { checksum: Checksum::Partial { start: 34, offset: 16 }, segmentation });
        TAKEN.set(TAKEN.get().map(|(memory, _)| (memory, BUFFERS_AT + 128 * BUFFER)));
        receive.refill();
    }
    assert_eq!(receive.dropped(), 0);
}

#[test]
fn a_burst_has_no_more_than_it_may() {
    let nic = Nic::new(feature::ALL);
    let (_, mut lines) = start(&nic, 1);
    (0..5).for_each(|number| nic.deliver(0, one(), &bytes(60 + number), &[BUFFER]));
    assert_eq!(received(&mut lines[0].0, 3).len(), 3);
    assert_eq!(received(&mut lines[0].0, 3).len(), 2);
    assert!(received(&mut lines[0].0, 3).is_empty());
}

#[test]
fn a_packet_that_is_not_all_there_is_waited_for() {
    let nic = Nic::new(feature::ALL);
    let (_, mut lines) = start(&nic, 1);
    let receive = &mut lines[0].0;
    nic.deliver(0, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0], &bytes(BUFFER - HEADER), &[BUFFER]);
    assert!(received(receive, 10).is_empty());
    // The rest of it has no header.
    let rest = bytes(100);
    nic.deliver(0, rest[..HEADER].try_into().unwrap(), &rest[HEADER..], &[BUFFER]);
    let packets = received(receive, 10);
    assert!(packets.len() == 1 && packets[0].to_vec() == [bytes(BUFFER - HEADER), rest].concat());
}

#[test]
fn wrong_headers_are_dropped_and_counted() {
    let mut wrong: Vec<([u8; HEADER], usize)> = vec![
        // No buffer at all, or more than any packet has.
        ([0; HEADER], 60),
        // A checksum behind the end, and at a place that is none.
        ([1, 0, 0, 0, 0, 0, 60, 0, 16, 0, 1, 0], 60),
        ([1, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 1, 0], 60),
        // Segments of no length, with a checksum that nobody vouches for, and of unknown kinds.
        ([1, 1, 0, 0, 0, 0, 34, 0, 16, 0, 1, 0], 60),
        ([0, 1, 0, 0, 100, 0, 0, 0, 0, 0, 1, 0], 60),
        ([1, 3, 0, 0, 100, 0, 34, 0, 16, 0, 1, 0], 60),
        ([1, 0x7f, 0, 0, 100, 0, 34, 0, 16, 0, 1, 0], 60),
        // Nothing behind it.
        (one(), 0),
    ];
    let nic = Nic::new(feature::ALL);
    let (_, mut lines) = start(&nic, 1);
    let receive = &mut lines[0].0;
    let count = wrong.len() as u64;
    for (header, length) in wrong.drain(..) {
        nic.deliver(0, header, &bytes(length), &[BUFFER]);
    }
    nic.deliver(0, one(), &[], &[5]);
    nic.deliver(0, one(), &bytes(70), &[BUFFER]);
    let packets = received(receive, 20);
    assert!(packets.len() == 1 && packets[0].len() == 70);
    assert_eq!(receive.dropped(), count + 1);
    // One of very many buffers is passed over to its end, and none of it is kept.
    nic.deliver(0, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40, 0], &bytes(40 * BUFFER - HEADER), &[BUFFER; 40]);
    nic.deliver(0, one(), &bytes(80), &[BUFFER]);
    let packets = received(receive, 20);
    assert!(packets.len() == 1 && packets[0].len() == 80);
    assert_eq!(receive.dropped(), count + 2);
}

#[test]
fn small_packets_are_copied_and_parts_of_large_ones_lent() {
    let nic = Nic::new(feature::ALL);
    let (device, mut lines) = start(&nic, 1);
    let transmit = &mut lines[0].1;
    let mut small = Packet::default();
    assert!(small.head.push(&bytes(54)));
    small.parts.push(Bytes::from(bytes(100)));
    small.offload.checksum = Checksum::Partial { start: 34, offset: 16 };
    let mut large = small.clone();
    large.parts.push(Bytes::new());
    large.parts.push(Bytes::from(bytes(3000)));
    large.offload.segmentation = Some(Segmentation { kind: SegmentationKind::TcpIpv6, size: 1400 });
    let mut many = Packet::default();
    assert!(many.head.push(&bytes(14)));
    (0..40).for_each(|at| many.parts.push(Bytes::from(bytes(100 + at))));
    let expected = [&small, &large, &many].map(Packet::to_vec);
    let mut burst = vec![small, large, many];
    assert_eq!(transmit.send(&mut burst, &mut lend), Ok(3));
    assert!(burst.is_empty() && transmit.take_notification());
    device.notify(transmit.number());
    assert_eq!(nic.0.borrow().notified, [1]);
    let sent = nic.sent(1);
    let headers =
        [[1, 0, 0, 0, 0, 0, 34, 0, 16, 0, 0, 0], [1, 4, 34 + 24, 0, 0x78, 5, 34, 0, 16, 0, 0, 0], [0; HEADER]];
    // The length of TCP's header is read from the packet, where a byte 0x48 & 0xf0 stands.
    let words = expected[1][34 + 12] >> 4;
    for (at, (all, stretches)) in sent.iter().enumerate() {
        let mut header = headers[at];
        if at == 1 {
            header[2] = 34 + 4 * words;
        }
        assert_eq!((&all[..HEADER], &all[HEADER..]), (&header[..], &expected[at][..]));
        assert_eq!(*stretches, [1, 3, 2][at]);
    }
}

#[test]
fn a_full_queue_keeps_the_rest_and_gives_memory_back() {
    let nic = Nic::new(feature::ALL);
    let (_, mut lines) = start(&nic, 1);
    let transmit = &mut lines[0].1;
    let memory = Bytes::from(bytes(1000));
    let packet = || Packet::received(memory.clone(), Offload::default());
    let mut burst: Vec<Packet> = (0..200).map(|_| packet()).collect();
    assert_eq!(transmit.send(&mut burst, &mut lend), Ok(128));
    assert_eq!((transmit.send(&mut burst, &mut lend), burst.len()), (Ok(0), 72));
    assert!(!memory.is_unique());
    assert_eq!(nic.sent(1).len(), 128);
    assert_eq!(transmit.send(&mut burst, &mut lend), Ok(72));
    nic.sent(1);
    transmit.reclaim().unwrap();
    assert!(memory.is_unique(), "all memory came back");
    let mut wrong = packet();
    wrong.offload.segmentation = Some(Segmentation { kind: SegmentationKind::Udp, size: 100 });
    assert_eq!(transmit.send(&mut vec![wrong, Packet::default(), packet()], &mut lend), Ok(3));
    assert_eq!((transmit.dropped(), nic.sent(1).len()), (2, 1));
}

#[test]
fn pairs_and_filters_are_told_over_the_queue_for_control() {
    let nic = Nic::new(feature::ALL & !feature::EVENT_INDEX);
    let (mut device, mut lines) = start(&nic, 2);
    let memory = nic.0.borrow().memory.part(0x3_8000, CONTROL_MEMORY).unwrap();
    let mut control = device.control(memory).unwrap().unwrap();
    device.finish();
    assert!(control.use_pairs(&device, 2, || ()));
    assert!(control.set_filter(&device, true, false, || ()));
    assert_eq!(nic.0.borrow().commands, [vec![4, 0, 2, 0], vec![0, 0, 1], vec![0, 1, 0]]);
    nic.deliver(2, one(), &bytes(99), &[BUFFER]);
    assert!(received(&mut lines[0].0, 9).is_empty() && received(&mut lines[1].0, 9).len() == 1);
    device.stop();
    assert!(nic.0.borrow().status.is_empty());
    let nic = Nic::new(feature::ALL & !feature::CONTROL);
    let (mut device, _) = start(&nic, 1);
    assert!(device.control(memory).unwrap().is_none());
}

#[test]
fn a_device_that_gives_back_what_it_does_not_have_is_broken() {
    for head in [1, 128, 255, 256, u32::MAX] {
        let nic = Nic::new(feature::ALL);
        let (_, mut lines) = start(&nic, 1);
        let (receive, transmit) = &mut lines[0];
        let memory = nic.0.borrow().memory;
        let packet = Packet::received(Bytes::from(bytes(1000)), Offload::default());
        transmit.send(&mut vec![packet], &mut lend).unwrap();
        nic.0.borrow_mut().queues[1].give(&memory, head, 1);
        assert_eq!(transmit.reclaim(), Err(Broken));
        if head >= 128 {
            nic.0.borrow_mut().queues[0].give(&memory, head, 1);
            assert_eq!(receive.receive(&mut vec![], 1, &mut |_, _| false), Err(Broken));
        }
    }
}
