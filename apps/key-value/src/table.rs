//! The table: as many places as it has from the beginning, so nobody can fill the machine's memory.

use std::prelude::v1::*;

/// Bytes of the longest key and value.
pub const LONGEST_KEY: usize = 32;
pub const LONGEST_VALUE: usize = 64;
/// Places, a power of two.
const PLACES: usize = 1 << 12;
/// Places in which a key may be, from that of its hash on. So one look is bounded, whatever keys there are.
const NEAR: usize = 8;

/// A place; one without a key is free.
#[derive(Clone, Copy)]
struct Place {
    key: [u8; LONGEST_KEY],
    value: [u8; LONGEST_VALUE],
    key_length: u8,
    value_length: u8,
}

const FREE: Place = Place { key: [0; LONGEST_KEY], value: [0; LONGEST_VALUE], key_length: 0, value_length: 0 };

/// Values by keys.
pub struct Table(Vec<Place>);

impl Table {
    /// An empty one.
    pub fn new() -> Self {
        Self(vec![FREE; PLACES])
    }

    /// The value of a key.
    pub fn get(&self, key: &[u8]) -> Option<&[u8]> {
        let place = near(key).map(|index| &self.0[index]).find(|place| place.has(key))?;
        Some(&place.value[..usize::from(place.value_length)])
    }

    /// Sets the value of a key, both of lengths that are allowed; `false` if there is no room near its hash.
    pub fn set(&mut self, key: &[u8], value: &[u8]) -> bool {
        let known = near(key).find(|&index| self.0[index].has(key));
        let Some(index) = known.or_else(|| near(key).find(|&index| self.0[index].key_length == 0)) else {
            return false;
        };
        let place = &mut self.0[index];
        (place.key_length, place.value_length) = (key.len() as u8, value.len() as u8);
        place.key[..key.len()].copy_from_slice(key);
        place.value[..value.len()].copy_from_slice(value);
        true
    }
}

impl Place {
    fn has(&self, key: &[u8]) -> bool {
        self.key[..usize::from(self.key_length)] == *key
    }
}

/// Indices of the places in which a key may be: by FNV-1a, which needs no secret where looks are bounded.
fn near(key: &[u8]) -> impl Iterator<Item = usize> {
    let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = key.iter().fold(0xcbf2_9ce4_8422_2325, mix) as usize;
    (0..NEAR).map(move |step| hash.wrapping_add(step) & (PLACES - 1))
}
