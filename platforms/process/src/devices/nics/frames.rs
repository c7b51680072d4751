//! Frames of which the host takes and gives one a call: TAP devices, and datagram sockets.

use nic::{
    Burst, Error,
    packets::{Bytes, Checksum, Packet, Parts},
};
use virtio::net::header::{self, HEADER};

use crate::host::{
    HostError,
    packets::{self, PLACES, Rooms},
};

/// A queue of such frames.
pub struct Frames {
    /// Each begins with virtio's header.
    headed: bool,
    rooms: Rooms,
}

impl Frames {
    /// One whose frames have so many bytes at the most, without the header that `headed` ones have.
    pub fn new(headed: bool, longest: usize) -> Self {
        Self { headed, rooms: Rooms::new(longest + HEADER) }
    }

    /// See [`nic::Nics::receive`].
    pub fn receive(&mut self, descriptor: i32, packets: &mut Burst, most: usize) -> Result<usize, Error> {
        let mut count = 0;
        for _ in 0..most {
            if !self.rooms.fill() {
                // What comes is kept by the host until there is memory.
                break;
            }
            match packets::read(descriptor, &mut self.rooms) {
                Ok(parts) if parts.is_empty() && self.headed => return Err(Error::Failed),
                Ok(parts) => {
                    let packet = self.packet(parts);
                    count += usize::from(packet.is_some());
                    packets.extend(packet);
                }
                Err(HostError::AGAIN) => break,
                Err(HostError::INTERRUPTED) => {}
                // A datagram that was sent has met nobody: that is told here, once.
                Err(_) if count > 0 || !self.headed => break,
                Err(_) => return Err(Error::Failed),
            }
        }
        Ok(count)
    }

    /// A packet of these bytes, if what the host says of it can be.
    fn packet(&self, parts: Parts) -> Option<Packet> {
        let mut packet = Packet { parts, ..Packet::default() };
        if self.headed {
            let header = *packet.front().first_chunk::<HEADER>()?;
            packet.advance(HEADER);
            packet.offload = header::decode(&header, packet.len()).ok()?;
        }
        Some(packet).filter(|packet| !packet.is_empty())
    }

    /// See [`nic::Nics::send`].
    pub fn send(&mut self, descriptor: i32, packets: &mut Burst) -> usize {
        let refused = packets.iter_mut().position(|packet| !self.send_one(descriptor, packet));
        let count = refused.unwrap_or(packets.len());
        packets.drain(..count);
        count
    }

    /// `false` if there is no room for it now.
    fn send_one(&self, descriptor: i32, packet: &mut Packet) -> bool {
        let header = if self.headed { header::encode(packet, packet.len()) } else { plain(packet) };
        // One that can never be sent is lost.
        let Some(header) = header else { return true };
        if packet.parts.len() + 2 > PLACES {
            let whole = Bytes::from(packet.parts.concat());
            packet.parts.clear();
            packet.parts.push(whole);
        }
        let first = Some(&header[..]).filter(|_| self.headed);
        loop {
            match packets::write(descriptor, first.into_iter().chain(packet.stretches())) {
                Err(HostError::INTERRUPTED) => {}
                // Every other error is this packet's: nobody is there, or it is too long.
                result => return result != Err(HostError::AGAIN),
            }
        }
    }
}

/// Nothing, for a packet that has left nothing to a device.
fn plain(packet: &Packet) -> Option<[u8; HEADER]> {
    let whole = packet.offload.segmentation.is_none() && !matches!(packet.offload.checksum, Checksum::Partial { .. });
    whole.then_some([0; HEADER])
}
