//! Memory that a device reads and fills: the kernel's heap, which lies in one piece wherever the device looks.

use alloc::vec::Vec;
use core::ptr::NonNull;

use nic::packets::Bytes;
use virtio::{
    Lent,
    net::{BUFFER, Buffer},
};

use crate::board;

/// Room for [`BUFFER`] bytes that nobody has written yet.
pub struct Room(Vec<u8>);

impl Buffer for Room {
    fn fresh() -> Option<Self> {
        let mut room = Vec::new();
        room.try_reserve_exact(BUFFER).ok()?;
        Some(Self(room))
    }

    fn lend(&mut self) -> Option<Lent> {
        let physical = board::physical_of_any(NonNull::new(self.0.as_mut_ptr())?, BUFFER)?;
        // SAFETY: nobody reads or moves the room before the device has given it back, and a queue that breaks has its
        // device stopped before the room goes.
        Some(unsafe { Lent::new(physical, BUFFER as u32, true) })
    }

    #[inline]
    fn look(&mut self, length: usize) -> &[u8] {
        // SAFETY: there is room for so many, which are the device's. One that says more than it has written shows what
        // the heap held there before, and a machine trusts its devices with its memory anyway.
        unsafe { self.0.set_len(length.min(BUFFER)) };
        &self.0
    }

    fn filled(mut self, length: usize) -> Bytes {
        self.look(length);
        Bytes::from(self.0)
    }
}

/// Lends bytes of a packet, if the device can reach them.
pub fn lend(bytes: &[u8]) -> Option<Lent> {
    let physical = board::physical_of_any(NonNull::from(bytes).cast(), bytes.len())?;
    let length = u32::try_from(bytes.len()).ok()?;
    // SAFETY: the queue keeps the packet's parts until the device has given them back, counted bytes never change, and
    // a queue that breaks has its device stopped.
    Some(unsafe { Lent::new(physical, length, false) })
}
