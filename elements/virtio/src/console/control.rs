//! Control messages of a device with several ports: just enough to open one (section 5.3.6.2).

use super::StartError;
use crate::{
    Shared,
    queue::{Areas, Queue, Segment, queue_bytes},
    transport::Transport,
};

/// Queue numbers (section 5.3.2).
pub(super) const RECEIVE_QUEUE: u16 = 2;
pub(super) const TRANSMIT_QUEUE: u16 = 3;
/// Descriptors of each queue, and messages that can be under way.
pub(super) const SIZE: usize = 4;
/// Bytes of a message: port 32, event 16, value 16 bits. Buffers hold more, since a port's name follows some.
const MESSAGE: usize = 8;
const BUFFER: usize = 64;
/// Looks at the queue before the device is given up. Devices answer before the first, or as soon as their thread runs.
const POLLS: u32 = 50_000_000;

/// Where things lie in the control memory.
const TRANSMIT_AT: usize = queue_bytes(SIZE).next_multiple_of(16);
const RECEIVE_BUFFERS_AT: usize = TRANSMIT_AT + queue_bytes(SIZE).next_multiple_of(16);
const TRANSMIT_BUFFERS_AT: usize = RECEIVE_BUFFERS_AT + SIZE * BUFFER;
/// Bytes of it.
pub(super) const MEMORY: usize = TRANSMIT_BUFFERS_AT + SIZE * 16;

/// Events.
const DEVICE_READY: u16 = 0;
const PORT_ADD: u16 = 1;
const PORT_READY: u16 = 3;
const PORT_OPEN: u16 = 6;

#[derive(Debug)]
pub(super) struct Control {
    receive: Queue<SIZE>,
    transmit: Queue<SIZE>,
    memory: Shared,
}

impl Control {
    /// Both queues interrupt nobody: after the port is open, no message matters.
    pub(super) fn new(memory: Shared) -> Option<Self> {
        let mut receive = Queue::new(&memory.part(0, queue_bytes(SIZE))?)?;
        let mut transmit = Queue::new(&memory.part(TRANSMIT_AT, queue_bytes(SIZE))?)?;
        receive.set_interrupts(false);
        transmit.set_interrupts(false);
        Some(Self { receive, transmit, memory })
    }

    pub(super) const fn queues(&self) -> [(u16, &Areas); 2] {
        [(RECEIVE_QUEUE, self.receive.areas()), (TRANSMIT_QUEUE, self.transmit.areas())]
    }

    /// Opens a port: the device must announce it first.
    pub(super) fn open(&mut self, port: u32, transport: &mut impl Transport) -> Result<(), StartError> {
        for index in 0..SIZE {
            let buffer = self.memory.part(RECEIVE_BUFFERS_AT + index * BUFFER, BUFFER).ok_or(StartError::Memory)?;
            let _ = self.receive.add(&Segment::Writable(buffer), None, index as u32);
        }
        transport.notify(RECEIVE_QUEUE);
        // Of this message the port has no meaning.
        self.send(u32::MAX, DEVICE_READY);
        transport.notify(TRANSMIT_QUEUE);
        let announced = (0..POLLS).any(|_| {
            core::hint::spin_loop();
            self.is_announced(port)
        });
        if !announced {
            return Err(StartError::Port);
        }
        self.send(port, PORT_READY);
        self.send(port, PORT_OPEN);
        transport.notify(TRANSMIT_QUEUE);
        Ok(())
    }

    fn send(&mut self, port: u32, event: u16) {
        let offset = TRANSMIT_BUFFERS_AT + 16 * (SIZE - self.transmit.free());
        let Some(buffer) = self.memory.part(offset, MESSAGE) else { return };
        let [value_low, value_high] = 1_u16.to_le_bytes();
        let [event_low, event_high] = event.to_le_bytes();
        buffer.write(0, &port.to_le_bytes());
        buffer.write(4, &[event_low, event_high, value_low, value_high]);
        // Three messages in all: there is room.
        let _ = self.transmit.add(&Segment::Readable(buffer), None, 0);
    }

    /// Whether the next message announces `port`. Devices with more ports than buffers announce the lowest first.
    fn is_announced(&mut self, port: u32) -> bool {
        let Ok(Some(used)) = self.receive.take_used() else { return false };
        let at = RECEIVE_BUFFERS_AT + used.cookie as usize * BUFFER;
        let (announced, event) = (self.memory.load32(at), self.memory.load16(at + 4));
        used.written as usize >= MESSAGE && announced == port && event == PORT_ADD
    }
}
