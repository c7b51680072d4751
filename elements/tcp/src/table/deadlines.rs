//! Deadlines of things that have at most one each: a heap that knows where each thing is in it.
//!
//! A deadline that moves later need not be told: who is found to be due looks, and says when it is due indeed. So an
//! acknowledgment only writes a number, and the heap is touched once per time-out.

use alloc::vec::Vec;

use packets::Instant;

const NONE: u32 = u32::MAX;

/// The deadlines, the earliest first.
#[derive(Debug, Default)]
pub struct Deadlines {
    heap: Vec<(Instant, u32)>,
    /// Where each thing is in the heap.
    places: Vec<u32>,
}

impl Deadlines {
    #[cfg(test)]
    pub fn footprint(&self) -> usize {
        self.heap.capacity() * size_of::<(Instant, u32)>() + self.places.capacity() * size_of::<u32>()
    }

    /// The earliest, or never.
    #[inline]
    pub fn earliest(&self) -> Instant {
        self.heap.first().map_or(Instant::NEVER, |first| first.0)
    }

    /// The deadline that is known of a thing.
    pub fn of(&self, thing: u32) -> Option<Instant> {
        let place = *self.places.get(thing as usize)?;
        self.heap.get(place as usize).map(|entry| entry.0)
    }

    /// Says a thing's deadline, if it is earlier than what is known of it: O(log n) then, O(1) otherwise.
    #[inline]
    pub fn arm(&mut self, thing: u32, at: Instant) {
        if self.of(thing).is_none_or(|known| known > at) {
            self.arm_earlier(thing, at);
        }
    }

    fn arm_earlier(&mut self, thing: u32, at: Instant) {
        if self.places.len() <= thing as usize {
            self.places.resize(thing as usize + 1, NONE);
        }
        let place = match self.places[thing as usize] {
            NONE => {
                self.heap.push((at, thing));
                self.heap.len() - 1
            }
            place => place as usize,
        };
        self.heap[place].0 = at;
        self.rise(place);
    }

    /// Takes the first thing out that is due at `now`.
    pub fn take_due(&mut self, now: Instant) -> Option<u32> {
        let &(at, thing) = self.heap.first()?;
        (at <= now).then(|| {
            self.remove(thing);
            thing
        })
    }

    /// Forgets a thing.
    pub fn remove(&mut self, thing: u32) {
        let Some(place) = self.places.get_mut(thing as usize) else { return };
        let at = core::mem::replace(place, NONE) as usize;
        if at >= self.heap.len() {
            return;
        }
        self.heap.swap_remove(at);
        if at < self.heap.len() {
            self.rise(at);
            self.sink(at);
        }
    }

    fn set_place(&mut self, at: usize) {
        self.places[self.heap[at].1 as usize] = at as u32;
    }

    fn rise(&mut self, mut at: usize) {
        while at > 0 && self.heap[at].0 < self.heap[(at - 1) / 2].0 {
            self.heap.swap(at, (at - 1) / 2);
            self.set_place(at);
            at = (at - 1) / 2;
        }
        self.set_place(at);
    }

    fn sink(&mut self, mut at: usize) {
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let Some(mut least) = self.heap.get(left).map(|_| left) else { break };
            if self.heap.get(right).is_some_and(|entry| entry.0 < self.heap[left].0) {
                least = right;
            }
            if self.heap[at].0 <= self.heap[least].0 {
                break;
            }
            self.heap.swap(at, least);
            self.set_place(at);
            at = least;
        }
        self.set_place(at);
    }
}
