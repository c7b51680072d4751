//! The queue against a device that behaves, and against devices that do not.

use std::vec::Vec;

use super::*;
use crate::{fake::DeviceQueue, shared::tests::leak};

const SIZE: usize = 8;
const BASE: u64 = 0x10_0000_1000;

fn pair() -> (Shared, Queue<SIZE>, DeviceQueue) {
    let memory = leak(BASE, 4096);
    let queue = Queue::<SIZE>::new(&memory.part(0, queue_bytes(SIZE)).unwrap()).unwrap();
    let areas = queue.areas();
    let addresses = [areas.descriptors, areas.available, areas.used];
    (memory, queue, DeviceQueue { size: SIZE as u32, ready: true, addresses, ..DeviceQueue::default() })
}

#[test]
fn chains_go_there_and_back() {
    let (memory, mut queue, mut device) = pair();
    let (first, second) = (memory.part(2048, 100).unwrap(), memory.part(3000, 50).unwrap());
    for round in 0..if cfg!(miri) { 40 } else { 70_000_u32 } {
        queue.add(&Segment::Readable(first), Some(&Segment::Writable(second)), round).unwrap();
        assert!(queue.wants_notification());
        let (head, parts) = device.next(&memory).unwrap();
        assert_eq!(
            parts.iter().map(|part| (part.address - BASE, part.length, part.writable)).collect::<Vec<_>>(),
            [(2048, 100, false), (3000, 50, true)]
        );
        assert_eq!(queue.take_used(), Ok(None));
        let watch = queue.watch();
        assert!(!watch.has_news());
        device.give(&memory, u32::from(head), 7);
        assert!(queue.has_used() && watch.has_news());
        assert_eq!(queue.take_used(), Ok(Some(Used { cookie: round, written: 7 })));
        assert_eq!((queue.free(), queue.in_flight()), (SIZE, 0));
    }
}

#[test]
fn long_chains_go_there_and_back() {
    let (memory, mut queue, mut device) = pair();
    let chain: Vec<_> = (0..5).map(|index| memory.part(2048 + 16 * index, 10).unwrap().lend(index > 1)).collect();
    for round in 0..if cfg!(miri) { 60 } else { 1000 } {
        queue.add_chain(&chain, round).unwrap();
        assert_eq!((queue.free(), queue.add_chain(&chain, 0)), (SIZE - 5, Err(Full)));
        queue.add(&Segment::Readable(memory.part(3000, 4).unwrap()), None, 7).unwrap();
        let (head, parts) = device.next(&memory).unwrap();
        let seen = parts.iter().map(|part| (part.address - BASE, part.length, part.writable));
        assert!(seen.eq((0..5).map(|index| (2048 + 16 * index, 10, index > 1))));
        let other = device.next(&memory).unwrap().0;
        device.give(&memory, u32::from(head), 1000);
        assert_eq!(queue.take_used(), Ok(Some(Used { cookie: round, written: 30 })));
        device.give(&memory, u32::from(other), 0);
        assert_eq!(queue.take_used(), Ok(Some(Used { cookie: 7, written: 0 })));
        assert_eq!((queue.free(), queue.in_flight()), (SIZE, 0));
    }
    queue.add_chain(&[], 1).unwrap();
    assert_eq!(queue.in_flight(), 0);
}

#[test]
fn full_queues_refuse_and_any_order_comes_back() {
    let (memory, mut queue, mut device) = pair();
    let buffer = Segment::Writable(memory.part(2048, 16).unwrap());
    for cookie in 0..4 {
        queue.add(&buffer, Some(&buffer), cookie).unwrap();
    }
    assert_eq!(queue.add(&buffer, None, 9), Err(Full));
    let mut heads: Vec<_> = core::iter::from_fn(|| device.next(&memory)).map(|(head, _)| head).collect();
    heads.swap(0, 2);
    for head in heads {
        device.give(&memory, u32::from(head), 1000);
    }
    let cookies: Vec<_> = core::iter::from_fn(|| queue.take_used().unwrap()).collect();
    assert_eq!(cookies.iter().map(|used| used.cookie).collect::<Vec<_>>(), [2, 1, 0, 3]);
    assert!(cookies.iter().all(|used| used.written == 32), "no more than the buffers hold");
    (0..SIZE as u32).for_each(|cookie| queue.add(&buffer, None, cookie).unwrap());
    assert_eq!(queue.free(), 0);
}

#[test]
fn lies_in_the_used_ring_are_found() {
    for id in [1, 7, 8, 0x1_0000, u32::MAX] {
        let (memory, mut queue, mut device) = pair();
        queue.add(&Segment::Writable(memory.part(2048, 16).unwrap()), None, 5).unwrap();
        device.give(&memory, id, 0);
        assert_eq!(queue.take_used(), Err(Broken), "{id}");
    }
    // More given back than was ever offered; the same thing twice.
    let (memory, mut queue, mut device) = pair();
    device.give(&memory, 0, 0);
    assert_eq!(queue.take_used(), Err(Broken));
    let (memory, mut queue, mut device) = pair();
    for cookie in 0..2 {
        queue.add(&Segment::Writable(memory.part(2048, 16).unwrap()), None, cookie).unwrap();
    }
    device.give(&memory, 0, 0);
    device.give(&memory, 0, 0);
    assert_eq!(queue.take_used(), Ok(Some(Used { cookie: 0, written: 0 })));
    assert_eq!(queue.take_used(), Err(Broken));
}

#[test]
fn suppression_is_respected_and_asked_for() {
    let (memory, mut queue, _) = pair();
    let available = (queue.areas().available - BASE) as usize;
    memory.store16((queue.areas().used - BASE) as usize, 1);
    assert!(!queue.wants_notification());
    queue.set_interrupts(false);
    assert_eq!(memory.load16(available), 1);
    queue.set_interrupts(true);
    assert_eq!(memory.load16(available), 0);
}

#[test]
fn a_raving_device_harms_nobody() {
    let (memory, mut queue, _) = pair();
    let buffer = memory.part(2048, 64).unwrap();
    let mut random = 1_u64;
    for _ in 0..if cfg!(miri) { 20 } else { 20_000 } {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = (random >> 33) as usize % queue_bytes(SIZE);
        memory.write(at, &[(random >> 56) as u8]);
        let _ = queue.add(&Segment::Readable(buffer), Some(&Segment::Writable(buffer)), 3);
        if let Ok(Some(used)) = queue.take_used() {
            assert!(used.cookie == 3 && used.written <= 64);
        }
        assert!(queue.free() <= SIZE && queue.in_flight() * 2 + queue.free() == SIZE);
    }
}

#[test]
fn the_event_index_names_one_moment() {
    let (memory, mut queue, mut device) = pair();
    queue.use_event_index();
    let buffer = Segment::Writable(memory.part(2048, 16).unwrap());
    let [_, available, used] = device.addresses.map(|address| (address - BASE) as usize);
    let (used_event, available_event) = (available + 4 + 2 * SIZE, used + 4 + 8 * SIZE);
    assert!(!queue.take_notification(), "nothing was added");
    for round in 0..if cfg!(miri) { 20 } else { 70_000_u32 } {
        let seen = (round * 2) as u16;
        // The device looks at the second one on.
        memory.store16(available_event, seen.wrapping_add(1));
        queue.add(&buffer, None, 1).unwrap();
        assert!(!queue.take_notification());
        queue.add(&buffer, None, 2).unwrap();
        assert!(queue.take_notification() && !queue.take_notification());
        queue.set_interrupts(true);
        assert_eq!(memory.load16(used_event), seen, "when the next one is used");
        queue.set_interrupts(false);
        assert_eq!(memory.load16(used_event), seen.wrapping_sub(1), "one that was long ago");
        assert_eq!(memory.load16(available), 0, "flags have no meaning");
        for _ in 0..2 {
            let (head, _) = device.next(&memory).unwrap();
            device.give(&memory, head.into(), 1);
            assert!(queue.take_used().unwrap().is_some());
        }
    }
}

#[test]
fn without_an_event_index_flags_say_it() {
    let (memory, mut queue, device) = pair();
    let used = (device.addresses[2] - BASE) as usize;
    let buffer = Segment::Writable(memory.part(2048, 16).unwrap());
    queue.add(&buffer, None, 1).unwrap();
    assert!(queue.take_notification() && !queue.take_notification());
    memory.store16(used, 1);
    queue.add(&buffer, None, 1).unwrap();
    assert!(!queue.take_notification());
}
