//! A hash table that grows by one place at a time: linear hashing (Litwin, 1980).
//!
//! No insertion pays for all: each that makes the table too full splits one place. What is found are numbers of things
//! that lie elsewhere, chained by a link that they keep themselves.

use alloc::vec::Vec;

/// No thing.
pub const NONE: u32 = u32::MAX;

/// The places: the first thing of each chain.
#[derive(Debug)]
pub struct Index {
    places: Vec<u32>,
    count: u32,
}

/// Where the things lie that are in an index.
pub trait Things {
    /// The hash of a thing.
    fn hash(&self, thing: u32) -> u32;
    /// The thing behind it in its chain.
    fn next(&self, thing: u32) -> u32;
    /// Changes that.
    fn set_next(&mut self, thing: u32, next: u32);
}

impl Default for Index {
    fn default() -> Self {
        Self { places: alloc::vec![NONE; 16], count: 0 }
    }
}

impl Index {
    /// The place of a hash: by as many bits as there are places, one more for those that are split.
    fn place(&self, hash: u32) -> usize {
        let all = self.places.len();
        let mask = all.next_power_of_two() - 1;
        let place = hash as usize & mask;
        if place < all { place } else { place & (mask >> 1) }
    }

    #[cfg(test)]
    pub fn footprint(&self) -> usize {
        self.places.capacity() * size_of::<u32>()
    }

    /// The first thing of the chain where a hash would be.
    pub fn first(&self, hash: u32) -> u32 {
        self.places[self.place(hash)]
    }

    /// Puts a thing in. It is in no index yet.
    pub fn insert(&mut self, things: &mut impl Things, thing: u32) {
        let place = self.place(things.hash(thing));
        things.set_next(thing, self.places[place]);
        self.places[place] = thing;
        self.count += 1;
        if self.count as usize > self.places.len() {
            self.split(things);
        }
    }

    /// Takes a thing out; `false`: it was not in.
    pub fn remove(&mut self, things: &mut impl Things, thing: u32) -> bool {
        let place = self.place(things.hash(thing));
        let mut before = NONE;
        let mut at = self.places[place];
        while at != NONE {
            let next = things.next(at);
            if at == thing {
                if before == NONE {
                    self.places[place] = next
                } else {
                    things.set_next(before, next)
                }
                self.count -= 1;
                return true;
            }
            (before, at) = (at, next);
        }
        false
    }

    /// Makes one more place, and shares out the chain that its things are in.
    fn split(&mut self, things: &mut impl Things) {
        let new = self.places.len();
        let half = (new + 1).next_power_of_two() / 2;
        let old = new - half;
        let mut at = core::mem::replace(&mut self.places[old], NONE);
        self.places.push(NONE);
        while at != NONE {
            let next = things.next(at);
            let place = self.place(things.hash(at));
            things.set_next(at, self.places[place]);
            self.places[place] = at;
            at = next;
        }
    }
}
