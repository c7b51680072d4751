//! Chunks of the set split when they are full and join when they are nearly empty.

use super::{Keep, Regions};
use crate::{
    Region,
    chunk::{Chunk, MOST, Place},
};

impl<K: Keep> Regions<K> {
    /// The chunk of this number.
    #[inline]
    pub(crate) fn chunk(&self, number: usize) -> &Chunk {
        match number.checked_sub(1) {
            Some(index) if K::many() => &self.more[index],
            _ => &self.first,
        }
    }

    #[inline]
    fn chunk_mut(&mut self, number: usize) -> &mut Chunk {
        match number.checked_sub(1) {
            Some(index) if K::many() => &mut self.more[index],
            _ => &mut self.first,
        }
    }

    #[inline]
    pub(crate) fn get(&self, place: Place) -> Option<&Region> {
        match place.chunk.checked_sub(1) {
            Some(index) if K::many() => self.more.get(index)?.list.get(place.index),
            _ => self.first.list.get(place.index),
        }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, place: Place) -> Option<&mut Region> {
        self.chunk_mut(place.chunk).list.get_mut(place.index)
    }

    /// The region at a place that has one.
    #[inline]
    pub(crate) fn at(&self, place: Place) -> &Region {
        &self.chunk(place.chunk).list[place.index]
    }

    #[inline]
    pub(crate) fn at_mut(&mut self, place: Place) -> &mut Region {
        &mut self.chunk_mut(place.chunk).list[place.index]
    }

    /// The place before.
    #[inline]
    pub(crate) fn before(&self, place: Place) -> Option<Place> {
        if let Some(index) = place.index.checked_sub(1) {
            return Some(Place { index, ..place });
        }
        if !K::many() {
            return None;
        }
        let chunk = place.chunk.checked_sub(1)?;
        Some(Place { chunk, index: self.chunk(chunk).list.len().checked_sub(1)? })
    }

    /// Puts a region where `place` is.
    pub(crate) fn put(&mut self, place: Place, region: Region) {
        let list = &mut self.chunk_mut(place.chunk).list;
        list.insert(place.index, region);
        let length = list.len();
        self.increase();
        self.count_steps(length - place.index);
        if self.keeps_shown() {
            self.note_shown(place);
        }
        self.forget_gaps(place.chunk);
        if K::many() && length > MOST {
            self.halve(place.chunk);
        }
    }

    /// Takes the region at `place` out.
    pub(crate) fn take(&mut self, place: Place) {
        if self.keeps_shown() {
            self.forget_shown(place);
        }
        let list = &mut self.chunk_mut(place.chunk).list;
        list.remove(place.index);
        let length = list.len();
        self.decrease();
        self.count_steps(length - place.index + 1);
        self.forget_gaps(place.chunk);
        if K::many() && !self.more.is_empty() && length <= MOST / 4 {
            self.merge(place.chunk);
        }
    }

    /// Makes two chunks of one.
    #[cold]
    #[inline(never)]
    fn halve(&mut self, number: usize) {
        let mut upper = Chunk::with_capacity(MOST + 1);
        upper.list.extend(self.chunk_mut(number).list.drain(MOST / 2..));
        self.more.insert(number, upper);
        self.count_steps(MOST / 2 + self.more.len() - number);
        self.relay_gaps(number, true);
        if self.more.len() == 1 {
            self.note_all_shown();
        }
    }

    /// Joins a chunk that is nearly empty to its neighbour, if that has room to spare.
    #[cold]
    #[inline(never)]
    fn merge(&mut self, number: usize) {
        let lower = number.min(self.more.len() - 1);
        let lengths = [lower, lower + 1].map(|number| self.chunk(number).list.len());
        // Half of the room stays, so that splitting and joining do not follow each other.
        if lengths[0] + lengths[1] <= MOST / 2 || lengths.contains(&0) {
            let mut upper = self.more.remove(lower);
            self.chunk_mut(lower).list.append(&mut upper.list);
            self.count_steps(MOST / 2 + self.more.len() - lower);
            self.relay_gaps(lower, false);
            if self.more.is_empty() {
                self.note_all_shown();
            }
        }
    }
}
