//! Two lists of frames as a device of smoltcp's.

use packets::ethernet;
use smoltcp::phy::{Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::time::Instant;

use crate::host::Place;

/// Frames that have come, and frames that go.
pub struct Frames {
    /// The one that has come.
    pub incoming: Option<Vec<u8>>,
    /// Those that go.
    pub outgoing: Vec<Vec<u8>>,
    /// Where it is.
    pub place: Place,
    /// Frames have a header of Ethernet; else they are packets of IP.
    pub neighbours: bool,
}

/// A frame that has come.
pub struct Received(Vec<u8>);

/// Room for one that goes.
pub struct Room<'a>(&'a mut Vec<Vec<u8>>);

impl RxToken for Received {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, read: F) -> R {
        read(&self.0)
    }
}

impl TxToken for Room<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, length: usize, write: F) -> R {
        let mut frame = vec![0; length];
        let result = write(&mut frame);
        self.0.push(frame);
        result
    }
}

impl Device for Frames {
    type RxToken<'a> = Received;
    type TxToken<'a> = Room<'a>;

    fn receive(&mut self, _: Instant) -> Option<(Received, Room<'_>)> {
        let frame = self.incoming.take()?;
        Some((Received(frame), Room(&mut self.outgoing)))
    }

    fn transmit(&mut self, _: Instant) -> Option<Room<'_>> {
        Some(Room(&mut self.outgoing))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        let header = if self.neighbours { ethernet::HEADER } else { 0 };
        capabilities.medium = if self.neighbours { Medium::Ethernet } else { Medium::Ip };
        capabilities.max_transmission_unit = self.place.mtu + header;
        capabilities
    }
}
