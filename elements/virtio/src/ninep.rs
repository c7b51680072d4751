//! The 9P transport device: one queue, whose requests carry a message there and its reply back. Its configuration has
//! the tag by which a host names the tree that is behind it: 16 bits of length, then the bytes.

use crate::{
    Lent, Shared, device,
    device::StartError,
    queue::{Broken, Full, Queue, Used, Watch, queue_bytes},
    transport::Transport,
};

/// Descriptors of the queue; as many parts has the longest request with its reply. QEMU's queue has no more.
pub const PARTS: usize = 128;
/// Bytes of memory the queue needs.
pub const QUEUE_MEMORY: usize = queue_bytes(PARTS);
/// Longest tag, in bytes, that is looked at.
pub const LONGEST_TAG: usize = 128;

/// The only queue.
const QUEUE: u16 = 0;
/// The feature of having a tag.
const TAG: u64 = 1;

/// A device that is ready for requests. Nobody is interrupted when one is done, unless that is asked for.
#[derive(Debug)]
pub struct Channel<T> {
    transport: T,
    queue: Queue<PARTS>,
}

/// Reads a tag from a device's configuration, of which `byte` reads one byte; `None` if it is too long.
pub fn tag(byte: impl Fn(usize) -> u8, buffer: &mut [u8; LONGEST_TAG]) -> Option<&[u8]> {
    let length = usize::from(u16::from_le_bytes([byte(0), byte(1)]));
    let tag = buffer.get_mut(..length)?;
    for (index, place) in tag.iter_mut().enumerate() {
        *place = byte(2 + index);
    }
    Some(tag)
}

impl<T: Transport> Channel<T> {
    /// Takes the device over, with [`QUEUE_MEMORY`] bytes of memory.
    pub fn start(mut transport: T, memory: &Shared) -> Result<Self, StartError> {
        device::begin(&mut transport, 0, TAG)?;
        let mut queue = Queue::new(memory).ok_or(StartError::Memory)?;
        queue.set_interrupts(false);
        let has_room = usize::from(transport.queue_limit(QUEUE)) >= PARTS;
        if !has_room || !transport.start_queue(QUEUE, PARTS as u16, queue.areas()) {
            return Err(StartError::Queue(QUEUE));
        }
        device::finish(&mut transport);
        Ok(Self { transport, queue })
    }

    /// Sends a request: the parts of the message, then those that the reply is to fill.
    pub fn send(&mut self, chain: &[Lent], cookie: u32) -> Result<(), Full> {
        self.queue.add_chain(chain, cookie)?;
        if self.queue.wants_notification() {
            self.transport.notify(QUEUE);
        }
        Ok(())
    }

    /// Asks for interrupts or for none, as [`Queue::set_interrupts`].
    pub fn set_interrupts(&mut self, wanted: bool) {
        self.queue.set_interrupts(wanted);
    }

    /// A request that is done, if there is one.
    pub fn take(&mut self) -> Result<Option<Used>, Broken> {
        self.queue.take_used()
    }

    /// What tells that a request may be done, as [`Queue::watch`].
    #[must_use]
    pub fn watch(&self) -> Watch {
        self.queue.watch()
    }

    /// Stops the device, which uses no memory from then on.
    pub fn stop(&mut self) {
        device::stop(&mut self.transport);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_as_far_as_there_is_room() {
        let mut buffer = [0; LONGEST_TAG];
        let configuration = b"\x03\x00abcde";
        assert_eq!(tag(|at| configuration[at], &mut buffer), Some(&b"abc"[..]));
        assert_eq!(tag(|_| 0xff, &mut buffer), None);
        assert_eq!(tag(|_| 0, &mut buffer), Some(&b""[..]));
    }
}
