//! A recorder: each packet that passes is written down, in a form that Wireshark and tcpdump read.

use alloc::boxed::Box;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use sync::Mutex;

use crate::{Burst, Direction, Error, Interrupts, Nics, Packet, Time, pcap, wrapper::pass_on};

/// Where a record goes: a file, a channel. What it cannot take is lost.
pub trait Sink: Send {
    /// Takes a piece of the record, which is whole by itself.
    fn write(&mut self, bytes: &[u8]);
}

impl<F: FnMut(&[u8]) + Send> Sink for F {
    fn write(&mut self, bytes: &[u8]) {
        self(bytes);
    }
}

/// Bytes of a packet that are kept: all of those that a device can cut.
const LONGEST: usize = 65_535 + 14;

/// Interfaces whose packets are written down while that is switched on.
pub struct Recorded<N, T> {
    inner: N,
    time: T,
    on: AtomicBool,
    sink: Mutex<Option<Box<dyn Sink>>>,
}

impl<N: Nics, T: Time> Recorded<N, T> {
    /// Nothing is written down yet.
    pub const fn new(inner: N, time: T) -> Self {
        Self { inner, time, on: AtomicBool::new(false), sink: Mutex::new(None) }
    }

    /// Begins to write a new record, instead of one that is being written.
    pub fn start(&self, mut sink: Box<dyn Sink>) {
        let mut place = self.sink.lock();
        sink.write(&pcap::section());
        for nic in 0..self.inner.count() {
            if let Some(attributes) = self.inner.attributes(nic) {
                sink.write(&pcap::interface(&attributes, LONGEST as u32));
            }
        }
        *place = Some(sink);
        self.on.store(true, Relaxed);
    }

    /// Ends the record.
    pub fn stop(&self) {
        self.on.store(false, Relaxed);
        *self.sink.lock() = None;
    }

    fn is_on(&self) -> bool {
        self.on.load(Relaxed)
    }

    fn write<'a>(&self, nic: usize, direction: Direction, packets: impl Iterator<Item = &'a Packet>) {
        let time = self.time.now();
        if let Some(sink) = &mut *self.sink.lock() {
            packets.for_each(|packet| sink.write(&pcap::packet(packet, nic as u32, time, direction, LONGEST)));
        }
    }
}

impl<N: Nics, T: Time> Nics for Recorded<N, T> {
    pass_on!();

    fn receive(&self, nic: usize, queue: usize, packets: &mut Burst, most: usize) -> Result<usize, Error> {
        let before = packets.len();
        let count = self.inner.receive(nic, queue, packets, most)?;
        if self.is_on() && count > 0 {
            self.write(nic, Direction::Received, packets[before..].iter());
        }
        Ok(count)
    }

    fn send(&self, nic: usize, queue: usize, packets: &mut Burst) -> Result<usize, Error> {
        if !self.is_on() {
            return self.inner.send(nic, queue, packets);
        }
        // What is taken is gone: a second owner of the memory is kept until it is clear how many that were.
        let kept = packets.clone();
        let count = self.inner.send(nic, queue, packets)?;
        self.write(nic, Direction::Sent, kept.iter().take(count));
        Ok(count)
    }

    fn set_interrupts(&self, nic: usize, queue: usize, wanted: Interrupts) -> bool {
        self.inner.set_interrupts(nic, queue, wanted)
    }
}
