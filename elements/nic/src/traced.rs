//! A tracer: a line for each packet that passes.

use core::{
    fmt::Write,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use alloc::string::String;

use crate::{Burst, Direction, Error, Interrupts, Nics, Packet, Time, summary, wrapper::pass_on};

/// Interfaces whose packets are told of while that is switched on.
#[derive(Debug)]
pub struct Traced<N, T, L> {
    inner: N,
    time: T,
    line: L,
    on: AtomicBool,
}

impl<N: Nics, T: Time, L: Fn(&str) + Sync> Traced<N, T, L> {
    /// Interfaces of whose packets `line` gets a line each, without its end, once that is switched on.
    pub const fn new(inner: N, time: T, line: L) -> Self {
        Self { inner, time, line, on: AtomicBool::new(false) }
    }

    /// Switches the lines on or off.
    pub fn switch(&self, on: bool) {
        self.on.store(on, Relaxed);
    }

    fn is_on(&self) -> bool {
        self.on.load(Relaxed)
    }

    fn tell<'a>(&self, (nic, queue): (usize, usize), direction: Direction, packets: impl Iterator<Item = &'a Packet>) {
        let has_ethernet = self.inner.attributes(nic).is_some_and(|attributes| attributes.address.is_some());
        let time = self.time.now().as_nanos();
        let (seconds, rest) = (time / 1_000_000_000, time % 1_000_000_000);
        let arrow = if direction == Direction::Received { '<' } else { '>' };
        for packet in packets {
            let mut line = String::new();
            // Nothing that is written into a string fails.
            let _ = write!(line, "{seconds}.{rest:09} nic{nic}.{queue} {arrow} {} bytes ", packet.len());
            let _ = summary::write(&mut line, packet, has_ethernet);
            (self.line)(&line);
        }
    }
}

impl<N: Nics, T: Time, L: Fn(&str) + Sync> Nics for Traced<N, T, L> {
    pass_on!();

    fn receive(&self, nic: usize, queue: usize, packets: &mut Burst, most: usize) -> Result<usize, Error> {
        let before = packets.len();
        let count = self.inner.receive(nic, queue, packets, most)?;
        if self.is_on() && count > 0 {
            self.tell((nic, queue), Direction::Received, packets[before..].iter());
        }
        Ok(count)
    }

    fn send(&self, nic: usize, queue: usize, packets: &mut Burst) -> Result<usize, Error> {
        if !self.is_on() {
            return self.inner.send(nic, queue, packets);
        }
        // As for a record: what is taken is gone.
        let kept = packets.clone();
        let count = self.inner.send(nic, queue, packets)?;
        self.tell((nic, queue), Direction::Sent, kept.iter().take(count));
        Ok(count)
    }

    fn set_interrupts(&self, nic: usize, queue: usize, wanted: Interrupts) -> bool {
        self.inner.set_interrupts(nic, queue, wanted)
    }
}
