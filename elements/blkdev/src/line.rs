//! Waiting on a queue, by any number of threads.
//!
//! Who waits notes what is done for the others too. It polls for a moment and then sleeps, if there are threads and it
//! may ([`sync::wait_for_device`]); the disk interrupts only while somebody sleeps.
#![allow(unsafe_code)]

use alloc::vec::Vec;

use sync::{Mutex, WaitQueue};

use crate::{Disks, Done, Error, Operation, Part, Request, SECTOR};

/// Requests of all threads that can be under way.
const SLOTS: usize = 64;
/// Requests of one transfer that are under way together.
const BURST: usize = 8;

/// Slots that those who may sleep leave to those who may not: these would wait for ever for one that sleeps.
const SPARE: usize = BURST;

/// A queue of a disk.
pub struct Line {
    disks: &'static dyn Disks,
    disk: usize,
    queue: usize,
    /// Most parts of a request.
    parts: usize,
    state: Mutex<State>,
    /// Woken when slots are free.
    freed: WaitQueue,
}

struct State {
    slots: [Progress; SLOTS],
    /// Who sleeps until its requests are done.
    sleepers: usize,
    broken: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Free,
    Taken,
    Done(Result<(), Error>),
}

/// A piece of a transfer: its first sector, and its parts.
type Piece<'a> = (u64, &'a [Part]);

impl Line {
    /// The queue `queue` of disk `disk`, whose requests may have `parts` parts.
    pub fn new(disks: &'static dyn Disks, disk: usize, queue: usize, parts: usize) -> Self {
        let state = Mutex::new(State { slots: [Progress::Free; SLOTS], sleepers: 0, broken: false });
        Self { disks, disk, queue, parts: parts.max(1), state, freed: WaitQueue::new() }
    }

    /// Fills `parts` from `sector` on.
    pub fn read(&self, sector: u64, parts: &mut [&mut [u8]]) -> Result<(), Error> {
        let parts: Vec<Part> = parts.iter_mut().map(|part| Part::of_mut(part)).collect();
        self.transfer(Operation::Read, sector, &parts)
    }

    /// Writes `bytes` to `sector` and those behind it.
    pub fn write(&self, sector: u64, bytes: &[u8]) -> Result<(), Error> {
        self.transfer(Operation::Write, sector, &[Part::of(bytes)])
    }

    /// Makes what has been written last.
    pub fn flush(&self) -> Result<(), Error> {
        self.transfer(Operation::Flush, 0, &[])
    }

    /// Returns when no request of it is under way any more: so the parts may be borrowed memory.
    fn transfer(&self, operation: Operation, mut sector: u64, parts: &[Part]) -> Result<(), Error> {
        let mut pieces: Vec<Piece<'_>> = Vec::new();
        for piece in parts.chunks(self.parts) {
            pieces.push((sector, piece));
            // One that goes beyond all disks is refused by each.
            sector = sector.saturating_add((piece.iter().map(Part::length).sum::<usize>() / SECTOR) as u64);
        }
        if operation == Operation::Flush {
            pieces.push((0, &[]));
        }
        pieces.chunks(BURST).try_for_each(|burst| self.burst(operation, burst))
    }

    fn burst(&self, operation: Operation, pieces: &[Piece<'_>]) -> Result<(), Error> {
        sync::might_sleep();
        let slots = self.take_slots(pieces.len())?;
        let mut requests = Vec::with_capacity(pieces.len());
        for (&(sector, parts), &slot) in pieces.iter().zip(&slots) {
            // SAFETY: whoever called lends the parts for as long as this takes, and it takes until all are done.
            requests.push(unsafe { Request::new(operation, sector, parts, slot as u32) });
        }
        let (mut sent, mut result) = (0, None);
        let ready = &mut || {
            let mut state = self.state.lock();
            if sent < requests.len() && !state.broken {
                match self.disks.submit(self.disk, self.queue, &requests[sent..]) {
                    Ok(count) => sent += count,
                    Err(_) => state.broken = true,
                }
            }
            self.take_in(&mut state);
            result = state.result(&slots);
            result.is_some()
        };
        sync::wait_for_device(ready, &|wanted| self.set_interrupts(wanted));
        self.freed.wake_all();
        result.unwrap_or(Err(Error::Failed))
    }

    /// One more sleeps, or one less; `false` if nobody would be woken.
    fn set_interrupts(&self, wanted: bool) -> bool {
        let mut state = self.state.lock();
        let before = state.sleepers;
        let now = if wanted { before + 1 } else { before.saturating_sub(1) };
        if (before == 0) != (now == 0) && !self.disks.set_interrupts(self.disk, self.queue, now > 0) {
            return false;
        }
        state.sleepers = now;
        true
    }

    /// So many slots of our own.
    fn take_slots(&self, count: usize) -> Result<Vec<usize>, Error> {
        let spare = if sync::may_sleep() { SPARE } else { 0 };
        let mut taken = None;
        sync::wait_on(&self.freed, &mut || {
            let mut state = self.state.lock();
            self.take_in(&mut state);
            taken = state.take_slots(count, spare);
            taken.is_some()
        });
        taken.unwrap_or(Err(Error::Failed))
    }

    /// Notes what is done.
    fn take_in(&self, state: &mut State) {
        let mut done = [Done::NONE; BURST];
        while !state.broken {
            match self.disks.take(self.disk, self.queue, &mut done) {
                Ok(0) => return,
                Ok(count) => done.iter().take(count).for_each(|done| state.note(done)),
                Err(_) => state.broken = true,
            }
        }
    }
}

impl State {
    /// Takes so many free slots, if as many as `spare` are left then.
    fn take_slots(&mut self, count: usize, spare: usize) -> Option<Result<Vec<usize>, Error>> {
        if self.broken {
            return Some(Err(Error::Failed));
        }
        let free = self.slots.iter().filter(|slot| **slot == Progress::Free).count();
        if free < count + spare {
            return None;
        }
        let slots = (0..SLOTS).filter(|&slot| self.slots[slot] == Progress::Free);
        let slots: Vec<usize> = slots.take(count).collect();
        slots.iter().for_each(|&slot| self.slots[slot] = Progress::Taken);
        Some(Ok(slots))
    }

    fn note(&mut self, done: &Done) {
        if let Some(slot) = self.slots.get_mut(done.cookie as usize).filter(|slot| **slot == Progress::Taken) {
            *slot = Progress::Done(done.result);
        }
    }

    /// How all of these went, when they are done, or the queue is broken; they are free then.
    fn result(&mut self, slots: &[usize]) -> Option<Result<(), Error>> {
        let mut result = if self.broken { Err(Error::Failed) } else { Ok(()) };
        if !self.broken {
            for &slot in slots {
                match self.slots[slot] {
                    Progress::Done(how) => result = result.and(how),
                    _ => return None,
                }
            }
        }
        slots.iter().for_each(|&slot| self.slots[slot] = Progress::Free);
        Some(result)
    }
}
