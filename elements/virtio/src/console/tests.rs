//! The port against a fake device behind mmio registers.

use std::{rc::Rc, vec, vec::Vec};

use super::*;
use crate::{
    fake::FakeConsole,
    shared::tests::leak,
    transport::mmio::{Mmio, ProbeError},
};

type TestPort = Port<Mmio<Rc<FakeConsole>>>;

fn port() -> (Rc<FakeConsole>, TestPort) {
    let memory = leak(0x8000_0000, PORT_MEMORY);
    let device = FakeConsole::new(memory);
    let port = Port::start(Mmio::probe(device.clone()).unwrap(), &memory).unwrap();
    (device, port)
}

fn received(port: &mut TestPort) -> Vec<u8> {
    let mut all = vec![];
    while port.receive(&mut [0; RECEIVE_BUFFER], |piece| all.extend_from_slice(piece)).unwrap() {}
    all
}

#[test]
fn the_start_follows_the_specification() {
    let (device, _port) = port();
    let words = device.words.borrow();
    assert_eq!((words[0x70 / 4], words[0x20 / 4], words[0x24 / 4]), (15, 1, 1), "status, version 1 only");
    assert_eq!(device.queues.borrow().map(|queue| queue.size), [8, 32, 0, 0, 0, 0]);
    assert!(device.queues.borrow()[..2].iter().all(|queue| queue.ready));
}

#[test]
fn of_several_ports_the_second_is_opened_and_used() {
    let memory = leak(0x8000_0000, PORT_MEMORY);
    let device = FakeConsole::with_ports(memory);
    let mut port = Port::start(Mmio::probe(device.clone()).unwrap(), &memory).unwrap();
    assert_eq!(device.queues.borrow().map(|queue| queue.size), [0, 0, 4, 4, 8, 32]);
    assert_eq!(*device.control.borrow(), [(u32::MAX, 0, 1), (1, 3, 1), (1, 6, 1)]);
    assert!(port.send(b"out", &[]));
    assert_eq!(device.feed(b"in", 9), 2);
    assert_eq!((received(&mut port), device.output.borrow().clone()), (b"in".to_vec(), b"out".to_vec()));
}

#[test]
fn devices_that_will_not_do_are_refused() {
    let memory = leak(0x8000_0000, PORT_MEMORY);
    let probe = |word: usize, value| {
        let device = FakeConsole::new(memory);
        device.words.borrow_mut()[word] = value;
        Mmio::probe(device)
    };
    assert_eq!(probe(0, 0).unwrap_err(), ProbeError::NotVirtio);
    assert_eq!(probe(1, 1).unwrap_err(), ProbeError::Version(1));
    assert_eq!(probe(2, 0).unwrap_err(), ProbeError::Empty);
    assert_eq!(Port::start(probe(0x34 / 4, 4).unwrap(), &memory).unwrap_err(), StartError::Queue(0));
    let small = memory.part(0, PORT_MEMORY - 16).unwrap();
    assert_eq!(Port::start(probe(0x34 / 4, 64).unwrap(), &small).unwrap_err(), StartError::Memory);
    let mut legacy = FakeConsole::new(memory);
    Rc::get_mut(&mut legacy).unwrap().features = 0;
    assert_eq!(Port::start(Mmio::probe(legacy).unwrap(), &memory).unwrap_err(), StartError::Features);
}

#[test]
fn bytes_are_sent_in_order_around_the_ring() {
    let (device, mut port) = port();
    let mut expected = vec![];
    for round in 0..if cfg!(miri) { 8 } else { 300_usize } {
        let body = vec![round as u8; round * 7 % 3000];
        assert!(port.send(b"head", &body));
        expected.extend_from_slice(b"head");
        expected.extend(body);
        port.reclaim().unwrap();
    }
    assert_eq!(*device.output.borrow(), expected);
    assert!(port.is_flushed() && port.room() == TRANSMIT_RING);
    assert!(port.send(&[], &vec![1; TRANSMIT_RING]) && port.send(&[], &[]));
}

#[test]
fn a_slow_device_fills_the_ring_and_a_whole_frame_waits() {
    let (device, mut port) = port();
    device.prompt.set(false);
    assert!(port.send(b"0123456789abcdef", &[7; 40_000]));
    assert!(!port.send(b"0123456789abcdef", &[8; 40_000]));
    assert_eq!(port.room(), TRANSMIT_RING - 40_016);
    while port.send(b"x", b"y") {}
    assert_eq!(port.room(), 0, "descriptors run out");
    assert!(!port.is_flushed() && !port.has_news());
    device.release();
    assert!(port.has_news());
    port.reclaim().unwrap();
    assert!(port.is_flushed() && port.room() == TRANSMIT_RING);
}

#[test]
fn bytes_arrive_in_pieces_of_any_size() {
    let (device, mut port) = port();
    let (pieces, bytes) = if cfg!(miri) { ([700, 4095, 4096], 6_000) } else { ([1, 7, 4096], 20_000_u32) };
    for piece in pieces {
        let sent: Vec<u8> = (0..bytes).map(|index| ((index * 31) >> 3) as u8).collect();
        let (mut at, mut all) = (0, vec![]);
        while at < sent.len() {
            at += device.feed(&sent[at..], piece);
            all.extend(received(&mut port));
        }
        assert_eq!(all, sent);
    }
}

#[test]
fn a_device_that_claims_too_much_gives_no_more_than_a_buffer() {
    let (device, mut port) = port();
    let (head, _) = device.queues.borrow_mut()[0].next(&device.memory).unwrap();
    device.queues.borrow_mut()[0].give(&device.memory, u32::from(head), u32::MAX);
    assert_eq!(received(&mut port).len(), RECEIVE_BUFFER);
    device.queues.borrow_mut()[0].give(&device.memory, 77, 1);
    assert_eq!(port.receive(&mut [0; RECEIVE_BUFFER], |_| {}), Err(Broken));
}
