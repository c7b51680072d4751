//! A disk of some sectors behind a transport of its own, one that lies, and one that is read-only.

use std::{cell::RefCell, rc::Rc, vec, vec::Vec};

use super::*;
use crate::{fake::DeviceQueue, queue::Areas, shared::tests::leak, transport::Status};

const BASE: u64 = 0x4000_0000;

/// The device's side.
struct Host {
    memory: Shared,
    status: Status,
    features: u64,
    queues: [DeviceQueue; 2],
    sectors: Vec<u8>,
    notified: Vec<u16>,
}

#[derive(Clone)]
struct Disk(Rc<RefCell<Host>>);

impl Disk {
    fn new(features: u64) -> Self {
        let memory = leak(BASE, 1 << 16);
        let (status, queues) = (Status::empty(), [DeviceQueue::default(); 2]);
        let sectors = (0..16 * SECTOR).map(|at| (at / SECTOR) as u8).collect();
        let features = features | device::VERSION_1;
        Self(Rc::new(RefCell::new(Host { memory, status, features, queues, sectors, notified: vec![] })))
    }

    /// Carries out what waits in a queue.
    fn work(&self, number: usize) {
        let host = &mut *self.0.borrow_mut();
        while let Some((head, parts)) = host.queues[number].next(&host.memory) {
            let at = |address: u64| (address - BASE) as usize;
            let first = at(parts[0].address);
            let (kind, sector) = (host.memory.load32(first), host.memory.load32(first + 8) as usize);
            let mut status = 0;
            let mut from = sector * SECTOR;
            for part in &parts[1..parts.len() - 1] {
                let length = part.length as usize;
                match (kind, host.sectors.get_mut(from..from + length)) {
                    (0, Some(bytes)) => _ = host.memory.write(at(part.address), bytes),
                    (1, Some(bytes)) => _ = host.memory.read(at(part.address), bytes),
                    (8, _) => _ = host.memory.write(at(part.address), b"disk0\0"),
                    _ => status = 1,
                }
                from += length;
            }
            if !matches!(kind, 0 | 1 | 4 | 8) {
                status = 2;
            }
            let end = parts.last().unwrap();
            assert!(end.writable && end.length == 1 && !parts[0].writable);
            host.memory.write(at(end.address), &[status]);
            host.queues[number].give(&host.memory, head.into(), 1);
        }
    }
}

impl Transport for Disk {
    fn device_id(&self) -> u32 {
        device::BLOCK
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

    fn accept_features(&mut self, _: u64) {}

    fn queue_limit(&mut self, queue: u16) -> u16 {
        if queue < 2 { 256 } else { 0 }
    }

    fn start_queue(&mut self, queue: u16, size: u16, areas: &Areas) -> bool {
        let addresses = [areas.descriptors, areas.available, areas.used];
        self.0.borrow_mut().queues[usize::from(queue)] =
            DeviceQueue { size: size.into(), ready: true, addresses, ..DeviceQueue::default() };
        true
    }

    fn notify(&self, queue: u16) {
        self.0.borrow_mut().notified.push(queue);
    }
}

const CONFIGURATION: Configuration = Configuration { sectors: 16, most_segments: 4, queues: 2 };

fn start(disk: &Disk) -> (Device<Disk>, Vec<Line>) {
    let memory = disk.0.borrow().memory;
    let mut device = Device::begin(disk.clone(), &CONFIGURATION).unwrap();
    let parts = |number: usize| (memory.part(number * 0x4000, 0x3000), memory.part(number * 0x4000 + 0x3000, 0x1000));
    let lines = (0..device.queues()).map(|number| {
        let (rings, heads) = parts(usize::from(number));
        device.queue(number, &rings.unwrap(), heads.unwrap()).unwrap()
    });
    let lines = lines.collect();
    device.finish();
    (device, lines)
}

#[test]
fn configurations_are_read_by_bytes() {
    let mut bytes = [0; 60];
    bytes[..8].copy_from_slice(&0x1234_5678_9abc_u64.to_le_bytes());
    bytes[12..16].copy_from_slice(&254_u32.to_le_bytes());
    bytes[34] = 3;
    let expected = Configuration { sectors: 0x1234_5678_9abc, most_segments: 254, queues: 3 };
    assert_eq!(Configuration::read(|at| bytes[at]), expected);
}

#[test]
fn requests_of_two_queues_go_there_and_back() {
    let disk = Disk::new(MOST_SEGMENTS | FLUSH | MANY_QUEUES);
    let (device, mut lines) = start(&disk);
    assert_eq!((device.queues(), device.parts(), device.has_flush(), device.is_read_only()), (2, 4, true, false));
    let memory = disk.0.borrow().memory;
    let (one, two) = (memory.part(0x8000, 512).unwrap(), memory.part(0x9000, 1024).unwrap());
    one.write(0, &[0xab; 512]);
    let rounds = if cfg!(miri) { 12 } else { 100 };
    for round in 0..rounds as u32 {
        lines[0].add(Operation::Write, 3, [one.lend(false)].into_iter(), round).unwrap();
        device.notify(&lines[0]);
        disk.work(0);
        assert_eq!(lines[0].take(), Ok(Some((round, Outcome::Done))));
        lines[1].add(Operation::Read, 2, [two.lend(true), one.lend(true)].into_iter(), 7).unwrap();
        lines[1].add(Operation::Flush, 0, core::iter::empty(), 8).unwrap();
        lines[1].add(Operation::Read, 16, [one.lend(true)].into_iter(), 9).unwrap();
        assert_eq!(lines[1].take(), Ok(None));
        disk.work(1);
        let outcomes: Vec<_> = core::iter::from_fn(|| lines[1].take().unwrap()).collect();
        assert_eq!(outcomes, [(7, Outcome::Done), (8, Outcome::Done), (9, Outcome::Failed)]);
        let mut bytes = [0; 1024];
        two.read(0, &mut bytes);
        assert!(bytes[..512] == [2; 512] && bytes[512..] == [0xab; 512]);
        one.read(0, &mut bytes[..512]);
        assert!(bytes[..512] == [4; 512]);
        one.write(0, &[0xab; 512]);
    }
    assert_eq!(disk.0.borrow().notified.len(), rounds);
}

#[test]
fn a_queue_takes_as_many_as_it_has_room_for() {
    let disk = Disk::new(0);
    let (device, mut lines) = start(&disk);
    assert_eq!((device.queues(), device.parts(), device.has_flush()), (1, 1, false));
    let memory = disk.0.borrow().memory.part(0x8000, 512).unwrap();
    let added = (0..100)
        .take_while(|&cookie| lines[0].add(Operation::Read, 0, [memory.lend(true)].into_iter(), cookie).is_ok());
    assert_eq!(added.count(), DEPTH);
    disk.work(0);
    assert_eq!(core::iter::from_fn(|| lines[0].take().unwrap()).count(), DEPTH);
    let many = core::iter::repeat_n(memory.lend(true), PARTS + 1);
    assert_eq!(lines[0].add(Operation::Read, 0, many, 0), Err(Full));
    let most = core::iter::repeat_n(memory.lend(true), PARTS);
    assert_eq!(lines[0].add(Operation::Read, 0, most, 0), Ok(()));
}

#[test]
fn a_device_that_gives_back_what_it_does_not_have_is_broken() {
    for &head in if cfg!(miri) { &[1, 128][..] } else { &[1_u32, 5, 127, 128, u32::MAX] } {
        let disk = Disk::new(READ_ONLY);
        let (mut device, mut lines) = start(&disk);
        assert!(device.is_read_only());
        let memory = disk.0.borrow().memory;
        let part = memory.part(0x8000, 512).unwrap();
        lines[0].add(Operation::Read, 0, [part.lend(true)].into_iter(), 1).unwrap();
        disk.0.borrow_mut().queues[0].give(&memory, head, 1);
        assert_eq!(lines[0].take(), Err(Broken));
        device.stop();
        assert!(disk.status().is_empty());
    }
}
