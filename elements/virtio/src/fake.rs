//! A device for tests: the other side of a queue, and mmio registers before it.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    vec,
    vec::Vec,
};

use crate::{Shared, transport::Registers};

/// A queue as a device sees it: addresses, and where it has got to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DeviceQueue {
    pub(crate) size: u32,
    pub(crate) ready: bool,
    pub(crate) addresses: [u64; 3],
    pub(crate) seen: u16,
    pub(crate) used: u16,
}

/// A part of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) address: u64,
    pub(crate) length: u32,
    pub(crate) writable: bool,
}

impl DeviceQueue {
    /// The next chain offered, with its head.
    pub(crate) fn next(&mut self, memory: &Shared) -> Option<(u16, Vec<Part>)> {
        let [descriptors, available, _] = self.addresses.map(|address| (address - memory.physical()) as usize);
        if memory.load16(available + 2) == self.seen {
            return None;
        }
        let head = memory.load16(available + 4 + 2 * (usize::from(self.seen) % self.size as usize));
        self.seen = self.seen.wrapping_add(1);
        let (mut parts, mut at) = (vec![], head);
        loop {
            let offset = descriptors + 16 * usize::from(at);
            let address = u64::from(memory.load32(offset)) | u64::from(memory.load32(offset + 4)) << 32;
            let flags = memory.load16(offset + 12);
            parts.push(Part { address, length: memory.load32(offset + 8), writable: flags & 2 != 0 });
            if flags & 1 == 0 {
                return Some((head, parts));
            }
            at = memory.load16(offset + 14);
        }
    }

    /// Gives a chain back.
    pub(crate) fn give(&mut self, memory: &Shared, head: u32, written: u32) {
        let used = (self.addresses[2] - memory.physical()) as usize;
        let element = used + 4 + 8 * (usize::from(self.used) % self.size as usize);
        memory.write(element, &head.to_le_bytes());
        memory.write(element + 4, &written.to_le_bytes());
        self.used = self.used.wrapping_add(1);
        memory.store16(used + 2, self.used);
    }
}

/// A console behind mmio registers: keeps what is sent, holds what the driver shall receive.
#[derive(Debug)]
pub(crate) struct FakeConsole {
    pub(crate) memory: Shared,
    pub(crate) words: RefCell<Vec<u32>>,
    pub(crate) features: u64,
    pub(crate) queues: RefCell<[DeviceQueue; 6]>,
    /// The receive queue of the port in use; the transmit queue is the next.
    pub(crate) port: usize,
    /// Control messages that came: port, event, value.
    pub(crate) control: RefCell<Vec<(u32, u16, u16)>>,
    pub(crate) output: RefCell<Vec<u8>>,
    /// Whether sent buffers are given back at once.
    pub(crate) prompt: Cell<bool>,
    pub(crate) held: RefCell<Vec<u16>>,
}

impl FakeConsole {
    /// A device with port 0 only.
    pub(crate) fn new(memory: Shared) -> Rc<Self> {
        Self::with(memory, 1 << 32 | 1 << 28, 0)
    }

    /// A device with ports 0 and 1.
    pub(crate) fn with_ports(memory: Shared) -> Rc<Self> {
        Self::with(memory, 1 << 32 | 1 << 1, 4)
    }

    fn with(memory: Shared, features: u64, port: usize) -> Rc<Self> {
        let mut words = vec![0; 128];
        (words[0], words[1], words[2], words[0x34 / 4]) = (0x7472_6976, 2, 3, 128);
        Rc::new(Self {
            memory,
            words: RefCell::new(words),
            features,
            queues: RefCell::default(),
            port,
            control: RefCell::default(),
            output: RefCell::default(),
            prompt: Cell::new(true),
            held: RefCell::default(),
        })
    }

    /// The host sends bytes: fills buffers of the receive queue, `piece` bytes each; returns what was taken.
    pub(crate) fn feed(&self, bytes: &[u8], piece: usize) -> usize {
        let mut done = 0;
        while done < bytes.len() {
            let queue = &mut self.queues.borrow_mut()[self.port];
            let Some((head, parts)) = queue.next(&self.memory) else { break };
            let count = piece.min(bytes.len() - done).min(parts[0].length as usize);
            self.memory.write((parts[0].address - self.memory.physical()) as usize, &bytes[done..done + count]);
            queue.give(&self.memory, u32::from(head), count as u32);
            done += count;
        }
        done
    }

    /// Gives held buffers back.
    pub(crate) fn release(&self) {
        for head in self.held.borrow_mut().drain(..) {
            self.queues.borrow_mut()[self.port + 1].give(&self.memory, u32::from(head), 0);
        }
    }

    /// Takes control messages; "device ready" is answered by the announcement of both ports.
    fn control(&self) {
        let queues = &mut self.queues.borrow_mut();
        while let Some((head, parts)) = queues[3].next(&self.memory) {
            let at = (parts[0].address - self.memory.physical()) as usize;
            let message = (self.memory.load32(at), self.memory.load16(at + 4), self.memory.load16(at + 6));
            self.control.borrow_mut().push(message);
            queues[3].give(&self.memory, u32::from(head), 0);
            for port in (0..2_u8).filter(|_| message.1 == 0) {
                let (head, parts) = queues[2].next(&self.memory).unwrap();
                let at = (parts[0].address - self.memory.physical()) as usize;
                self.memory.write(at, &[port, 0, 0, 0, 1, 0, 1, 0]);
                queues[2].give(&self.memory, u32::from(head), 8);
            }
        }
    }

    fn transmit(&self) {
        let queue = &mut self.queues.borrow_mut()[self.port + 1];
        while let Some((head, parts)) = queue.next(&self.memory) {
            for part in parts {
                let mut bytes = vec![0; part.length as usize];
                self.memory.read((part.address - self.memory.physical()) as usize, &mut bytes);
                self.output.borrow_mut().extend(bytes);
            }
            if self.prompt.get() {
                queue.give(&self.memory, u32::from(head), 0);
            } else {
                self.held.borrow_mut().push(head);
            }
        }
    }
}

impl Registers for Rc<FakeConsole> {
    fn read8(&self, offset: usize) -> u8 {
        (self.read32(offset & !3) >> (8 * (offset & 3))) as u8
    }

    fn read16(&self, offset: usize) -> u16 {
        (self.read32(offset & !3) >> (8 * (offset & 2))) as u16
    }

    fn read32(&self, offset: usize) -> u32 {
        let words = self.words.borrow();
        match offset {
            0x10 => (self.features >> (32 * words[0x14 / 4])) as u32,
            _ => words.get(offset / 4).copied().unwrap_or(0),
        }
    }

    fn write8(&self, _: usize, _: u8) {}

    fn write16(&self, _: usize, _: u16) {}

    fn write32(&self, offset: usize, value: u32) {
        self.words.borrow_mut()[offset / 4] = value;
        let selected = self.words.borrow()[0x30 / 4] as usize;
        match (offset, value as usize) {
            (0x50, 3) if self.port > 0 => self.control(),
            (0x50, queue) if queue == self.port + 1 => self.transmit(),
            _ => {}
        }
        if let Some(queue) = self.queues.borrow_mut().get_mut(selected) {
            match offset {
                0x38 => queue.size = value,
                0x44 => queue.ready = value == 1,
                0x80 | 0x90 | 0xa0 => queue.addresses[(offset - 0x80) / 16] |= u64::from(value),
                0x84 | 0x94 | 0xa4 => queue.addresses[(offset - 0x80) / 16] |= u64::from(value) << 32,
                _ => {}
            }
        }
    }
}
