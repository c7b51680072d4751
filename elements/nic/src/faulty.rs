//! A fault injector: a link that loses, delays, reorders, doubles and damages what goes over it.

use alloc::collections::BTreeMap;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use packets::Instant;
use sync::Mutex;

use crate::{Burst, Direction, Error, Faults, Interrupts, Nics, Time, lane::Lane, wrapper::pass_on};

/// Interfaces over which things go wrong while that is switched on. The same seed and the same packets at the same
/// times have the same go wrong.
#[derive(Debug)]
pub struct Faulty<N, T> {
    inner: N,
    time: T,
    on: AtomicBool,
    ways: Mutex<Ways>,
}

/// Each queue has a way for each direction, made when its first packet comes.
#[derive(Debug)]
struct Ways {
    faults: [Faults; 2],
    seed: u64,
    lanes: BTreeMap<(usize, usize, bool), Lane>,
}

impl Ways {
    fn lane(&mut self, nic: usize, queue: usize, direction: Direction) -> &mut Lane {
        let sent = direction == Direction::Sent;
        let (faults, seed) = (self.faults[usize::from(sent)], self.seed);
        // Ways do not go wrong alike.
        let own =
            seed ^ ((nic as u64) << 32 | (queue as u64) << 1 | u64::from(sent)).wrapping_mul(0x2545_f491_4f6c_dd1d);
        self.lanes.entry((nic, queue, sent)).or_insert_with(|| Lane::new(faults, own))
    }
}

impl<N: Nics, T: Time> Faulty<N, T> {
    /// Nothing goes wrong yet.
    pub const fn new(inner: N, time: T, seed: u64) -> Self {
        const NONE: Faults = Faults {
            loss: 0,
            duplication: 0,
            corruption: 0,
            reordering: 0,
            delay: core::time::Duration::ZERO,
            jitter: core::time::Duration::ZERO,
            detour: core::time::Duration::ZERO,
        };
        let ways = Ways { faults: [NONE; 2], seed, lanes: BTreeMap::new() };
        Self { inner, time, on: AtomicBool::new(false), ways: Mutex::new(ways) }
    }

    /// From now on this goes wrong, by direction. Who is under way already arrives as it would have.
    pub fn switch(&self, received: Faults, sent: Faults) {
        let mut ways = self.ways.lock();
        ways.faults = [received, sent];
        for ((_, _, is_sent), lane) in &mut ways.lanes {
            lane.faults = if *is_sent { sent } else { received };
        }
        self.on.store(true, Relaxed);
    }

    fn is_on(&self) -> bool {
        self.on.load(Relaxed)
    }

    /// When the next packet that is under way arrives; `None` if none is. Nobody interrupts for it.
    pub fn deadline(&self) -> Option<Instant> {
        self.ways.lock().lanes.values().filter_map(Lane::deadline).min()
    }

    /// Sends what has reached the far end of its way. So does each call for its queue.
    pub fn poll(&self) -> Result<(), Error> {
        let sent: alloc::vec::Vec<_> = self.ways.lock().lanes.keys().filter(|key| key.2).copied().collect();
        sent.into_iter().try_for_each(|(nic, queue, _)| self.pass(nic, queue))
    }

    fn pass(&self, nic: usize, queue: usize) -> Result<(), Error> {
        let now = self.time.now();
        let mut due = Burst::new();
        self.ways.lock().lane(nic, queue, Direction::Sent).take(now, &mut due, usize::MAX);
        if !due.is_empty() {
            self.inner.send(nic, queue, &mut due)?;
            let mut ways = self.ways.lock();
            // What the interface has no room for stands first at the next look.
            due.into_iter().for_each(|packet| ways.lane(nic, queue, Direction::Sent).put_back(now, packet));
        }
        Ok(())
    }
}

impl<N: Nics, T: Time> Nics for Faulty<N, T> {
    pass_on!();

    fn receive(&self, nic: usize, queue: usize, packets: &mut Burst, most: usize) -> Result<usize, Error> {
        if !self.is_on() {
            return self.inner.receive(nic, queue, packets, most);
        }
        self.pass(nic, queue)?;
        let mut fresh = Burst::new();
        self.inner.receive(nic, queue, &mut fresh, most)?;
        let now = self.time.now();
        let mut ways = self.ways.lock();
        let lane = ways.lane(nic, queue, Direction::Received);
        fresh.into_iter().for_each(|packet| lane.put(now, packet));
        Ok(lane.take(now, packets, most))
    }

    fn send(&self, nic: usize, queue: usize, packets: &mut Burst) -> Result<usize, Error> {
        if !self.is_on() {
            return self.inner.send(nic, queue, packets);
        }
        let attributes = self.inner.attributes(nic).ok_or(Error::Nowhere)?;
        if queue >= attributes.queues {
            return Err(Error::Nowhere);
        }
        let (now, count) = (self.time.now(), packets.len());
        {
            let mut ways = self.ways.lock();
            let lane = ways.lane(nic, queue, Direction::Sent);
            packets.drain(..).for_each(|packet| lane.put(now, packet));
        }
        self.pass(nic, queue)?;
        Ok(count)
    }

    fn set_interrupts(&self, nic: usize, queue: usize, wanted: Interrupts) -> bool {
        let quiet = !self.is_on() || self.deadline().is_none();
        self.inner.set_interrupts(nic, queue, wanted) && quiet
    }
}
