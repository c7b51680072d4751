//! Frames there and back, between one descriptor and several places in memory. None of these calls waits: the command
//! has opened the descriptors so.

use alloc::vec::Vec;

use nic::packets::{Bytes, Parts};

use super::{HostError, call::call, number};

/// Most places of a call (at most UIO_MAXIOV of the host's).
pub const PLACES: usize = 64;
/// Bytes of a frame's first room: a frame of an Ethernet, with what is before it, and a size class of heaps.
const FIRST: usize = 2048;
/// Most bytes of a room. Each has twice those of the one before up to here: so a frame of 64 KB has few parts, and one
/// that takes more than the first room holds at most three times its bytes.
const MOST: usize = 16 << 10;

/// `struct iovec` of readv(2).
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Place {
    address: usize,
    length: usize,
}

/// Room for the next frame, which nobody has written yet.
#[derive(Debug)]
pub struct Rooms {
    /// The last one is the frame's first.
    rooms: Vec<Vec<u8>>,
    /// How many the longest frame takes.
    most: usize,
}

impl Rooms {
    /// For frames of so many bytes at the most. None is there yet.
    pub fn new(longest: usize) -> Self {
        let most = (1..PLACES).find(|&count| (0..count).map(size).sum::<usize>() >= longest).unwrap_or(PLACES);
        Self { rooms: Vec::new(), most }
    }

    /// Makes those that are missing; `false` if there is no memory for all of them.
    pub fn fill(&mut self) -> bool {
        while let Some(position) = self.most.checked_sub(self.rooms.len() + 1) {
            let mut room = Vec::new();
            if room.try_reserve_exact(size(position)).is_err() {
                return false;
            }
            self.rooms.push(room);
        }
        true
    }
}

/// Bytes of a frame's room of this number.
fn size(position: usize) -> usize {
    (FIRST << position.min(8)).min(MOST)
}

/// Reads the next frame, and takes as many rooms as that fills. Says what came.
pub fn read(descriptor: i32, rooms: &mut Rooms) -> Result<Parts, HostError> {
    let mut places = [Place::default(); PLACES];
    let count = rooms.rooms.len().min(PLACES);
    for (place, room) in places.iter_mut().zip(rooms.rooms.iter_mut().rev()) {
        *place = Place { address: room.as_mut_ptr() as usize, length: room.capacity() };
    }
    // SAFETY: writes the rooms only, which have so many bytes, and are nobody else's.
    let length = unsafe { call(number::READV, [descriptor as usize, places.as_ptr() as usize, count]) }?;
    let mut left = length;
    let mut parts = Parts::new();
    while left > 0
        && let Some(mut room) = rooms.rooms.pop()
    {
        let filled = left.min(room.capacity());
        left -= filled;
        // SAFETY: the host has written these.
        unsafe { room.set_len(filled) };
        parts.push(Bytes::from(room));
    }
    Ok(parts)
}

/// Writes stretches one behind the other in one call; says how many bytes that were.
pub fn write<'a>(descriptor: i32, stretches: impl Iterator<Item = &'a [u8]>) -> Result<usize, HostError> {
    let mut places = [Place::default(); PLACES];
    let mut count = 0;
    for stretch in stretches {
        *places.get_mut(count).ok_or(HostError::INVALID)? =
            Place { address: stretch.as_ptr() as usize, length: stretch.len() };
        count += 1;
    }
    // SAFETY: reads the stretches only.
    unsafe { call(number::WRITEV, [descriptor as usize, places.as_ptr() as usize, count]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_take_the_longest_frame_and_are_made_once() {
        for (longest, sizes) in
            [(1, vec![2]), (2048, vec![2]), (2049, vec![2, 4]), (65_549, vec![2, 4, 8, 16, 16, 16, 16])]
        {
            let mut rooms = Rooms::new(longest);
            assert!(rooms.fill() && rooms.fill());
            let kilobytes: Vec<_> = rooms.rooms.iter().rev().map(|room| room.capacity() >> 10).collect();
            assert_eq!(kilobytes, sizes, "{longest}");
            // Those that a frame has taken are the first ones, and come back in their order.
            rooms.rooms.truncate(rooms.most - 1);
            assert!(rooms.fill());
            assert_eq!(rooms.rooms.last().map(Vec::capacity), Some(FIRST));
        }
    }

    #[test]
    fn a_long_frame_holds_at_most_three_times_its_bytes() {
        for longest in (FIRST..=1 << 16).step_by(7) {
            let held: usize = (0..Rooms::new(longest).most).map(size).sum();
            assert!((longest..=3 * longest).contains(&held), "{held} for {longest}");
        }
    }
}
