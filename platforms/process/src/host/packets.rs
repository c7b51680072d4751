//! Frames there and back, between one descriptor and several places in memory. None of these calls waits: the command has
//! opened the descriptors so.

use alloc::vec::Vec;

use nic::packets::Bytes;

use super::{HostError, call::call, number};

/// Most places of a call (at most UIO_MAXIOV of the host's).
pub const PLACES: usize = 64;
/// Bytes of a room: a frame of an Ethernet, with what is before it, and a size class of heaps.
pub const ROOM: usize = 2048;

/// `struct iovec` of readv(2).
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Place {
    address: usize,
    length: usize,
}

/// Room for [`ROOM`] bytes that nobody has written yet.
#[derive(Debug)]
pub struct Room(Vec<u8>);

impl Room {
    /// One; `None` if there is no memory.
    pub fn fresh() -> Option<Self> {
        let mut room = Vec::new();
        room.try_reserve_exact(ROOM).ok()?;
        Some(Self(room))
    }
}

/// Reads what comes next into as many rooms as it takes, which are taken from the end of `rooms`. Says what came.
pub fn read(descriptor: i32, rooms: &mut Vec<Room>) -> Result<Vec<Bytes>, HostError> {
    let mut places = [Place::default(); PLACES];
    let count = rooms.len().min(PLACES);
    for (place, room) in places.iter_mut().zip(rooms.iter_mut().rev()) {
        *place = Place { address: room.0.as_mut_ptr() as usize, length: ROOM };
    }
    // SAFETY: writes the rooms only, which have so many bytes, and are nobody else's.
    let length = unsafe { call(number::READV, [descriptor as usize, places.as_ptr() as usize, count]) }?;
    let mut left = length;
    let taken = rooms.drain(rooms.len() - length.div_ceil(ROOM).min(count)..).rev();
    Ok(taken
        .map(|mut room| {
            let filled = left.min(ROOM);
            left -= filled;
            // SAFETY: the host has written these.
            unsafe { room.0.set_len(filled) };
            Bytes::from(room.0)
        })
        .collect())
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
