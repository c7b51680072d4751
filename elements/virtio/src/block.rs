//! The block device (section 5.2): any number of equal queues. A request is a head that says what and where, the data,
//! and a byte that says how it went.

use crate::{
    Lent, Shared, device,
    device::StartError,
    queue::{Broken, Full, Queue, queue_bytes},
    transport::Transport,
};

/// Descriptors of a queue.
const ENTRIES: usize = 128;
/// Requests that can be under way in a queue.
pub const DEPTH: usize = 32;
/// Most parts of a request: the others are its head and its end.
pub const PARTS: usize = ENTRIES - 2;
/// Bytes of memory for a queue's rings.
pub const QUEUE_MEMORY: usize = queue_bytes(ENTRIES);
/// Bytes of memory for a queue's heads and ends.
pub const HEADS_MEMORY: usize = DEPTH * HEAD;
/// Bytes of a disk's name.
pub const NAME: usize = 20;

/// From one head to the next: 16 bytes, and the end's one behind them.
const HEAD: usize = 32;
const END: usize = 16;

/// Features (section 5.2.3).
const MOST_SEGMENTS: u64 = 1 << 2;
const READ_ONLY: u64 = 1 << 5;
const FLUSH: u64 = 1 << 9;
const MANY_QUEUES: u64 = 1 << 12;

/// Bytes that a sector has, whatever the device's blocks.
pub const SECTOR: usize = 512;

/// What a device says about itself (section 5.2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// Sectors.
    pub sectors: u64,
    most_segments: u32,
    queues: u16,
}

impl Configuration {
    /// Reads it by single bytes.
    pub fn read(byte: impl Fn(usize) -> u8) -> Self {
        let number = |at: usize, length: usize| {
            (0..length).rev().fold(0_u64, |number, index| number << 8 | u64::from(byte(at + index)))
        };
        Self { sectors: number(0, 8), most_segments: number(12, 4) as u32, queues: number(34, 2) as u16 }
    }
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Fill memory from sectors.
    Read,
    /// Write memory to sectors.
    Write,
    /// Make what has been written last.
    Flush,
    /// Fill [`NAME`] bytes with the disk's name.
    Name,
}

impl Operation {
    /// Its number (section 5.2.6).
    const fn number(self) -> u32 {
        match self {
            Self::Read => 0,
            Self::Write => 1,
            Self::Flush => 4,
            Self::Name => 8,
        }
    }
}

/// How a request went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was carried out.
    Done,
    /// The device failed.
    Failed,
    /// The device does not know such requests.
    Unknown,
}

/// A device that is ready.
#[derive(Debug)]
pub struct Device<T> {
    transport: T,
    /// What both sides have agreed about.
    features: u64,
    /// How many queues may be used.
    queues: u16,
    /// Most parts of a request.
    parts: usize,
}

impl<T: Transport> Device<T> {
    /// Agrees about features; [`Device::queue`] comes next, once for each queue that is to be used, then
    /// [`Device::finish`].
    pub fn begin(mut transport: T, configuration: &Configuration) -> Result<Self, StartError> {
        let welcome = MOST_SEGMENTS | READ_ONLY | FLUSH | MANY_QUEUES;
        let features = device::begin(&mut transport, 0, welcome)?;
        let queues = if features & MANY_QUEUES != 0 { configuration.queues.max(1) } else { 1 };
        let segments = if features & MOST_SEGMENTS != 0 { configuration.most_segments.max(1) as usize } else { 1 };
        Ok(Self { transport, features, queues, parts: segments.min(PARTS) })
    }

    /// Starts queue `number`, with [`QUEUE_MEMORY`] bytes for its rings and [`HEADS_MEMORY`] for what belongs to its
    /// requests.
    pub fn queue(&mut self, number: u16, rings: &Shared, heads: Shared) -> Result<Line, StartError> {
        let mut queue = Queue::new(rings).ok_or(StartError::Memory)?;
        queue.set_interrupts(false);
        let has_room = usize::from(self.transport.queue_limit(number)) >= ENTRIES && heads.length() >= HEADS_MEMORY;
        if !has_room || !self.transport.start_queue(number, ENTRIES as u16, queue.areas()) {
            return Err(StartError::Queue(number));
        }
        Ok(Line { number, queue, heads, cookies: [None; DEPTH] })
    }

    /// Sets the device to work.
    pub fn finish(&mut self) {
        device::finish(&mut self.transport);
    }

    /// How many queues there are.
    #[must_use]
    pub const fn queues(&self) -> u16 {
        self.queues
    }

    /// Most parts of a request.
    #[must_use]
    pub const fn parts(&self) -> usize {
        self.parts
    }

    /// Whether it refuses to be written.
    #[must_use]
    pub const fn is_read_only(&self) -> bool {
        self.features & READ_ONLY != 0
    }

    /// Whether what it has written may be lost until it is flushed.
    #[must_use]
    pub const fn has_flush(&self) -> bool {
        self.features & FLUSH != 0
    }

    /// Tells the device that requests were added to a queue, if it wants to know.
    pub fn notify(&self, line: &Line) {
        if line.queue.wants_notification() {
            self.transport.notify(line.number);
        }
    }

    /// Stops the device, which uses no memory from then on.
    pub fn stop(&mut self) {
        device::stop(&mut self.transport);
    }
}

/// A queue of a device.
#[derive(Debug)]
pub struct Line {
    number: u16,
    queue: Queue<ENTRIES>,
    heads: Shared,
    /// What the requests under way are called, by the place of their heads.
    cookies: [Option<u32>; DEPTH],
}

impl Line {
    /// Adds a request, whose parts [`PARTS`] limits. The device sees it, perhaps not before
    /// [`Device::notify`].
    pub fn add(
        &mut self,
        operation: Operation,
        sector: u64,
        parts: impl Iterator<Item = Lent>,
        cookie: u32,
    ) -> Result<(), Full> {
        let slot = self.cookies.iter().position(Option::is_none).ok_or(Full)?;
        let head = self.heads.part(slot * HEAD, END).ok_or(Full)?;
        let end = self.heads.part(slot * HEAD + END, 1).ok_or(Full)?;
        let number = u64::from(operation.number());
        head.store64(0, number);
        head.store64(8, sector);
        // Neither of the outcomes that a device tells.
        end.write(0, &[0xff]);
        let mut chain = [Lent::NONE; ENTRIES];
        let mut length = 0;
        for lent in core::iter::once(head.lend(false)).chain(parts).chain(core::iter::once(end.lend(true))) {
            *chain.get_mut(length).ok_or(Full)? = lent;
            length += 1;
        }
        self.queue.add_chain(&chain[..length], slot as u32)?;
        self.cookies[slot] = Some(cookie);
        Ok(())
    }

    /// A request that is done, if there is one: its cookie, and how it went.
    pub fn take(&mut self) -> Result<Option<(u32, Outcome)>, Broken> {
        let Some(used) = self.queue.take_used()? else { return Ok(None) };
        let slot = used.cookie as usize;
        let cookie = self.cookies.get_mut(slot).and_then(Option::take).ok_or(Broken)?;
        let mut end = [0xff];
        self.heads.read(slot * HEAD + END, &mut end);
        let outcome = match end[0] {
            0 => Outcome::Done,
            2 => Outcome::Unknown,
            _ => Outcome::Failed,
        };
        Ok(Some((cookie, outcome)))
    }

    /// Asks for interrupts or for none, as [`Queue::set_interrupts`].
    pub fn set_interrupts(&mut self, wanted: bool) {
        self.queue.set_interrupts(wanted);
    }
}

#[cfg(test)]
mod tests;
