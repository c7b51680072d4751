//! Sockets by small numbers that are used again, with handles that are never somebody else's.

use alloc::vec::Vec;

/// A socket: its place, and which of those that were there over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Handle {
    index: u32,
    generation: u32,
}

impl Handle {
    /// Its place: unique among those that are open, and small. For tables of callers.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }
}

/// Places with a value each, or free.
#[derive(Debug)]
pub struct Slab<T> {
    places: Vec<(u32, Option<T>)>,
    free: Vec<u32>,
    most: usize,
}

impl<T> Slab<T> {
    /// None, and never more than `most`.
    #[must_use]
    pub const fn new(most: usize) -> Self {
        Self { places: Vec::new(), free: Vec::new(), most }
    }

    /// Adds one, or gives `None` if there are too many.
    pub fn insert(&mut self, value: T) -> Option<Handle> {
        let index = match self.free.pop() {
            Some(index) => index,
            None if self.places.len() >= self.most => return None,
            None => {
                self.places.push((0, None));
                self.places.len() as u32 - 1
            }
        };
        let place = &mut self.places[index as usize];
        place.1 = Some(value);
        Some(Handle { index, generation: place.0 })
    }

    /// Takes one out.
    pub fn remove(&mut self, handle: Handle) -> Option<T> {
        let place = self.places.get_mut(handle.index as usize).filter(|place| place.0 == handle.generation)?;
        let value = place.1.take()?;
        place.0 = place.0.wrapping_add(1);
        self.free.push(handle.index);
        Some(value)
    }

    /// One by its handle.
    #[must_use]
    pub fn get(&self, handle: Handle) -> Option<&T> {
        self.places.get(handle.index as usize).filter(|place| place.0 == handle.generation)?.1.as_ref()
    }

    /// One by its handle, to be changed.
    pub fn get_mut(&mut self, handle: Handle) -> Option<&mut T> {
        self.places.get_mut(handle.index as usize).filter(|place| place.0 == handle.generation)?.1.as_mut()
    }

    /// All of them, by their places.
    pub fn iter(&self) -> impl Iterator<Item = (Handle, &T)> {
        self.places.iter().enumerate().filter_map(|(index, (generation, value))| {
            value.as_ref().map(|value| (Handle { index: index as u32, generation: *generation }, value))
        })
    }
}
