//! Frames one behind the other on a stream socket, each behind its length: passt.

use alloc::vec::Vec;

use nic::{
    Burst, Error,
    packets::{Checksum, Packet},
    stream::{Frames, head},
};

use crate::host::{HostError, files, packets};

/// Bytes that are read at a time.
const CHUNK: usize = 64 << 10;

/// A stream of frames.
pub struct Stream {
    frames: Frames,
    buffer: Vec<u8>,
    /// What is left of a frame of which the host has taken a part. Its packet stays the first of those that wait, so
    /// that there is somebody to come again: the other side may take nothing before it has all of it.
    rest: Vec<u8>,
}

impl Stream {
    /// One that has carried nothing yet.
    pub fn new() -> Self {
        Self { frames: Frames::new(), buffer: alloc::vec![0; CHUNK], rest: Vec::new() }
    }

    /// See [`nic::Nics::receive`].
    pub fn receive(&mut self, descriptor: i32, packets: &mut Burst, most: usize) -> Result<usize, Error> {
        let mut count = 0;
        while count < most {
            match self.frames.take() {
                Ok(Some(packet)) => {
                    packets.push(packet);
                    count += 1;
                }
                Ok(None) if !self.read(descriptor)? => break,
                Ok(None) => {}
                Err(_) => return Err(Error::Failed),
            }
        }
        Ok(count)
    }

    /// Reads on; whether there was anything.
    fn read(&mut self, descriptor: i32) -> Result<bool, Error> {
        loop {
            match files::read(descriptor, &mut self.buffer) {
                // The other side has gone.
                Ok(0) => return Err(Error::Failed),
                Ok(length) => {
                    self.frames.put(&self.buffer[..length]);
                    return Ok(true);
                }
                Err(HostError::AGAIN) => return Ok(false),
                Err(HostError::INTERRUPTED) => {}
                Err(_) => return Err(Error::Failed),
            }
        }
    }

    /// See [`nic::Nics::send`].
    pub fn send(&mut self, descriptor: i32, packets: &mut Burst) -> Result<usize, Error> {
        let mut count = 0;
        if !self.rest.is_empty() {
            if !self.flush(descriptor)? {
                return Ok(0);
            }
            // Those that wait may have been dropped meanwhile.
            count = packets.len().min(1);
        }
        while let Some(packet) = packets.get(count) {
            let whole = packet.offload.segmentation.is_none() && !left_to_device(packet);
            // One that can never be sent is lost.
            if let Some(head) = head(packet).filter(|_| whole)
                && !self.send_one(descriptor, head, packet)?
            {
                break;
            }
            count += 1;
        }
        packets.drain(..count);
        Ok(count)
    }

    /// Sends what is left; whether nothing is.
    fn flush(&mut self, descriptor: i32) -> Result<bool, Error> {
        while !self.rest.is_empty() {
            match files::write(descriptor, &self.rest) {
                Ok(length) => _ = self.rest.drain(..length),
                Err(HostError::AGAIN) => return Ok(false),
                Err(HostError::INTERRUPTED) => {}
                Err(_) => return Err(Error::Failed),
            }
        }
        Ok(true)
    }

    /// Sends a packet; `false` if there is no room for it now, or for a part of it, which is left.
    fn send_one(&mut self, descriptor: i32, head: [u8; 4], packet: &Packet) -> Result<bool, Error> {
        let many = packet.parts.len() + 2 > packets::PLACES;
        let whole = if many { packet.to_vec() } else { Vec::new() };
        loop {
            let stretches = Some(&head[..]).into_iter();
            let written = if many {
                packets::write(descriptor, stretches.chain(Some(&whole[..])))
            } else {
                packets::write(descriptor, stretches.chain(packet.stretches()))
            };
            match written {
                Ok(length) => {
                    let all = head.len() + packet.len();
                    if length < all {
                        self.rest.extend([&head[..], &packet.to_vec()].concat().drain(length..));
                    }
                    return Ok(length >= all);
                }
                Err(HostError::AGAIN) => return Ok(false),
                Err(HostError::INTERRUPTED) => {}
                Err(_) => return Err(Error::Failed),
            }
        }
    }
}

const fn left_to_device(packet: &Packet) -> bool {
    matches!(packet.offload.checksum, Checksum::Partial { .. })
}
