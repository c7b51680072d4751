//! Places for things, each with an index that stays.

use alloc::vec::Vec;

/// Things in places that are used again. Putting and taking are O(1).
#[derive(Debug)]
pub struct Slab<T> {
    places: Vec<Place<T>>,
    /// The first free place + 1.
    free: u32,
    count: u32,
}

#[derive(Debug)]
enum Place<T> {
    Free(u32),
    Full(T),
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { places: Vec::new(), free: 0, count: 0 }
    }
}

impl<T> Slab<T> {
    /// Puts a thing into a free place, and gives its index.
    pub fn insert(&mut self, thing: T) -> u32 {
        self.count += 1;
        let Some(index) = self.free.checked_sub(1) else {
            self.places.push(Place::Full(thing));
            return self.places.len() as u32 - 1;
        };
        let place = &mut self.places[index as usize];
        if let Place::Free(next) = *place {
            self.free = next;
        }
        *place = Place::Full(thing);
        index
    }

    /// Takes a thing out. Its place goes to the next one.
    pub fn remove(&mut self, index: u32) -> Option<T> {
        let place = self.places.get_mut(index as usize)?;
        if matches!(place, Place::Free(_)) {
            return None;
        }
        let old = core::mem::replace(place, Place::Free(self.free));
        self.free = index + 1;
        self.count -= 1;
        match old {
            Place::Full(thing) => Some(thing),
            Place::Free(_) => None,
        }
    }

    pub fn get(&self, index: u32) -> Option<&T> {
        match self.places.get(index as usize) {
            Some(Place::Full(thing)) => Some(thing),
            _ => None,
        }
    }

    pub fn get_mut(&mut self, index: u32) -> Option<&mut T> {
        match self.places.get_mut(index as usize) {
            Some(Place::Full(thing)) => Some(thing),
            _ => None,
        }
    }

    /// All things, by their places.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.places.iter().filter_map(|place| match place {
            Place::Full(thing) => Some(thing),
            Place::Free(_) => None,
        })
    }

    #[cfg(test)]
    pub fn footprint(&self) -> usize {
        self.places.capacity() * size_of::<Place<T>>()
    }

    #[cfg(test)]
    pub fn places(&self) -> u32 {
        self.places.len() as u32
    }

    pub const fn len(&self) -> u32 {
        self.count
    }
}
