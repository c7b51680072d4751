//! The console device (section 5.3): one of its ports, a duplex stream of bytes.
//!
//! Port 0 is a console to some hosts, and a console may lose what nobody takes: QEMU's `virtconsole` drops output when
//! its other side is slow (`hw/char/virtio-console.c`). Other ports wait. So where a device has several ports, port 1
//! is used, and the device is told so over its control queues; where it has one, that one.

mod control;
mod receive;
#[cfg(test)]
mod tests;
mod transmit;

use control::Control;
use receive::Receive;
use transmit::Transmit;

use crate::{
    Shared, device,
    device::StartError,
    queue::{Areas, Broken, queue_bytes},
    transport::Transport,
};

/// The feature of having several ports, and control queues (section 5.3.3).
const MULTIPORT: u64 = 1 << 1;
/// The port that is used where there are several.
const PORT: u32 = 1;
/// Descriptors of each queue. Sent frames take one or two each.
const RECEIVE_BUFFERS: usize = 8;
const TRANSMIT_SIZE: usize = 32;
/// Bytes of a receive buffer: QEMU hands over what the host sent in pieces of at most 4 KB.
pub const RECEIVE_BUFFER: usize = 4096;
/// Bytes that can wait to be sent.
pub const TRANSMIT_RING: usize = 64 << 10;

/// Where things lie in a port's memory: all queues share the first page.
const RECEIVE_QUEUE_AT: usize = 0;
const TRANSMIT_QUEUE_AT: usize = 1024;
const CONTROL_AT: usize = 2048;
const RECEIVE_BUFFERS_AT: usize = 4096;
const TRANSMIT_RING_AT: usize = RECEIVE_BUFFERS_AT + RECEIVE_BUFFERS * RECEIVE_BUFFER;
/// Bytes of memory a port needs.
pub const PORT_MEMORY: usize = TRANSMIT_RING_AT + TRANSMIT_RING;

const _: () = assert!(queue_bytes(RECEIVE_BUFFERS) <= TRANSMIT_QUEUE_AT);
const _: () = assert!(TRANSMIT_QUEUE_AT + queue_bytes(TRANSMIT_SIZE) <= CONTROL_AT);
const _: () = assert!(CONTROL_AT + control::MEMORY <= RECEIVE_BUFFERS_AT);

/// A port's queue numbers (section 5.3.2).
#[derive(Clone, Copy, Debug)]
struct Queues {
    receive: u16,
    transmit: u16,
}

/// Port 0 has the first two queues; behind them are the control queues, and then port 1's.
const QUEUES_0: Queues = Queues { receive: 0, transmit: 1 };
const QUEUES_1: Queues = Queues { receive: 4, transmit: 5 };

/// An open port.
#[derive(Debug)]
pub struct Port<T> {
    transport: T,
    queues: Queues,
    receive: Receive,
    transmit: Transmit,
}

impl<T: Transport> Port<T> {
    /// Takes the device over, with [`PORT_MEMORY`] bytes of memory. Interrupts come when bytes arrive.
    pub fn start(mut transport: T, memory: &Shared) -> Result<Self, StartError> {
        let part = |at, length| memory.part(at, length).ok_or(StartError::Memory);
        let receive_queue = part(RECEIVE_QUEUE_AT, queue_bytes(RECEIVE_BUFFERS))?;
        let buffers = part(RECEIVE_BUFFERS_AT, RECEIVE_BUFFERS * RECEIVE_BUFFER)?;
        let transmit_queue = part(TRANSMIT_QUEUE_AT, queue_bytes(TRANSMIT_SIZE))?;
        let ring = part(TRANSMIT_RING_AT, TRANSMIT_RING)?;
        let several = device::begin(&mut transport, 0, MULTIPORT)? & MULTIPORT != 0;
        let queues = if several { QUEUES_1 } else { QUEUES_0 };
        let mut control = if several { Control::new(part(CONTROL_AT, control::MEMORY)?) } else { None };
        let (Some(receive), Some(transmit)) =
            (Receive::new(&receive_queue, buffers), Transmit::new(&transmit_queue, ring))
        else {
            return Err(StartError::Memory);
        };
        // Made where it is filled: rings are large, and each move of them shows in a boot.
        let mut port = Self { transport, queues, receive, transmit };
        let Self { transport, receive, transmit, .. } = &mut port;
        start_queue(transport, queues.receive, RECEIVE_BUFFERS, receive.areas())?;
        start_queue(transport, queues.transmit, TRANSMIT_SIZE, transmit.areas())?;
        for (number, areas) in control.iter().flat_map(Control::queues) {
            start_queue(transport, number, control::SIZE, areas)?;
        }
        device::finish(transport);
        if let Some(control) = &mut control {
            control.open(PORT, transport)?;
        }
        // Behind the opening: QEMU looks for the host's bytes when it is told of buffers of an open port, and if it was
        // told before, not until its main loop happens to wake up.
        receive.offer_first();
        transport.notify(queues.receive);
        Ok(port)
    }

    /// Whether bytes have arrived or sent ones left since [`Port::receive`] and [`Port::reclaim`] last looked.
    #[must_use]
    pub fn has_news(&self) -> bool {
        self.receive.has_news() || self.transmit.has_news()
    }

    /// Gives what has arrived to `take`, in pieces; `staging` is where they are copied to. Ends after as many pieces
    /// as there are buffers, so that a device cannot hold it for ever; `Ok(true)` if more was there by then.
    pub fn receive(&mut self, staging: &mut [u8; RECEIVE_BUFFER], take: impl FnMut(&[u8])) -> Result<bool, Broken> {
        let (pieces, more) = self.receive.receive(staging, take)?;
        if pieces > 0 && self.receive.wants_notification() {
            self.transport.notify(self.queues.receive);
        }
        Ok(more)
    }

    /// Takes back what the device has sent.
    pub fn reclaim(&mut self) -> Result<(), Broken> {
        self.transmit.reclaim()
    }

    /// Bytes that [`Port::send`] would take now.
    #[must_use]
    pub fn room(&self) -> usize {
        self.transmit.room()
    }

    /// Sends `head` and `body` behind it, or nothing: `false` if there is no [`Port::room`] for both.
    pub fn send(&mut self, head: &[u8], body: &[u8]) -> bool {
        let sent = self.transmit.send(head, body);
        if sent && self.transmit.wants_notification() {
            self.transport.notify(self.queues.transmit);
        }
        sent
    }

    /// Whether the device has taken everything.
    #[must_use]
    pub fn is_flushed(&self) -> bool {
        self.transmit.is_flushed()
    }

    /// Whether to interrupt when the device has sent something. After turning it on, ask [`Port::has_news`].
    pub fn set_sent_interrupts(&mut self, wanted: bool) {
        self.transmit.set_interrupts(wanted);
    }
}

fn start_queue(transport: &mut impl Transport, number: u16, size: usize, areas: &Areas) -> Result<(), StartError> {
    let size = size as u16;
    let started = transport.queue_limit(number) >= size && transport.start_queue(number, size, areas);
    started.then_some(()).ok_or(StartError::Queue(number))
}
