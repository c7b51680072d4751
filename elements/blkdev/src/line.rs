//! Waiting on a queue, by any number of threads.
//!
//! Who waits polls, as its callers hold spin locks, and notes what is done for the others too.
#![allow(unsafe_code)]

use alloc::vec::Vec;

use sync::Mutex;

use crate::{Disks, Done, Error, Operation, Part, Request, SECTOR};

/// Requests of all threads that can be under way.
const SLOTS: usize = 64;
/// Requests of one transfer that are under way together.
const BURST: usize = 8;

/// A queue of a disk.
pub struct Line {
    disks: &'static dyn Disks,
    disk: usize,
    queue: usize,
    /// Most parts of a request.
    parts: usize,
    state: Mutex<State>,
}

struct State {
    slots: [Progress; SLOTS],
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
        let state = Mutex::new(State { slots: [Progress::Free; SLOTS], broken: false });
        Self { disks, disk, queue, parts: parts.max(1), state }
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
        let slots = self.take_slots(pieces.len())?;
        let mut requests = Vec::with_capacity(pieces.len());
        for (&(sector, parts), &slot) in pieces.iter().zip(&slots) {
            // SAFETY: whoever called lends the parts for as long as this takes, and it takes until all are done.
            requests.push(unsafe { Request::new(operation, sector, parts, slot as u32) });
        }
        let mut sent = 0;
        loop {
            let mut state = self.state.lock();
            if sent < requests.len() && !state.broken {
                match self.disks.submit(self.disk, self.queue, &requests[sent..]) {
                    Ok(count) => sent += count,
                    Err(_) => state.broken = true,
                }
            }
            self.take_in(&mut state);
            if let Some(result) = state.result(&slots) {
                return result;
            }
            drop(state);
            sync::relax();
        }
    }

    /// So many slots of our own.
    fn take_slots(&self, count: usize) -> Result<Vec<usize>, Error> {
        loop {
            let mut state = self.state.lock();
            if state.broken {
                return Err(Error::Failed);
            }
            let free = (0..SLOTS).filter(|&slot| state.slots[slot] == Progress::Free);
            let slots: Vec<usize> = free.take(count).collect();
            if slots.len() == count {
                slots.iter().for_each(|&slot| state.slots[slot] = Progress::Taken);
                return Ok(slots);
            }
            self.take_in(&mut state);
            drop(state);
            sync::relax();
        }
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
