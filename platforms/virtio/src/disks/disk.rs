//! One disk: its device, and its queues, each behind a lock of its own.

use alloc::{collections::VecDeque, vec::Vec};
use core::sync::atomic::{AtomicBool, Ordering};

use blkdev::{Done, Error, Geometry, Operation, Request, SECTOR};
use machine::PAGE_SIZE;
use sync::Mutex;
use virtio::{
    Lent, Shared,
    block::{self, Configuration, Device, HEADS_MEMORY, Line, NAME, Outcome, QUEUE_MEMORY},
};

use crate::board;
use crate::transport::AnyTransport;

/// Most queues that are used.
const QUEUES: usize = 8;

/// A disk.
pub struct Disk {
    device: Mutex<Device<AnyTransport>>,
    queues: Vec<Mutex<Queue>>,
    geometry: Geometry,
    has_flush: bool,
    interrupts: bool,
    /// What the command calls it.
    number: usize,
    /// It broke the protocol, and was stopped.
    broken: AtomicBool,
}

struct Queue {
    line: Line,
    /// Done without the device.
    done: VecDeque<Done>,
}

fn pages(bytes: usize) -> Option<Shared> {
    let count = bytes.div_ceil(PAGE_SIZE);
    let (start, physical) = board::allocate_frames(count)?;
    // SAFETY: fresh frames, page aligned, mapped for ever, and nobody else's.
    Some(unsafe { Shared::new(start, physical, count * PAGE_SIZE) })
}

impl Disk {
    /// Takes a device over.
    pub fn start(transport: AnyTransport, configuration: &Configuration, interrupts: bool) -> Option<Self> {
        let mut device = Device::begin(transport, configuration).ok()?;
        let count = contracts::processor::count().min(QUEUES).min(device.queues().into());
        let name = pages(NAME)?;
        let mut lines = Vec::with_capacity(count);
        for number in 0..count {
            lines.push(device.queue(number as u16, &pages(QUEUE_MEMORY)?, pages(HEADS_MEMORY)?).ok()?);
        }
        device.finish();
        let number = number(&device, lines.first_mut()?, &name);
        let geometry = Geometry {
            sectors: configuration.sectors.min(u64::MAX / SECTOR as u64),
            read_only: device.is_read_only(),
            queues: count,
            parts: device.parts(),
        };
        let has_flush = device.has_flush();
        let queue = |line| Mutex::new(Queue { line, done: VecDeque::new() });
        let queues = lines.into_iter().map(queue).collect();
        let device = Mutex::new(device);
        let broken = AtomicBool::new(false);
        Some(Self { device, queues, geometry, has_flush, interrupts, number, broken })
    }

    /// What the command calls it; more than all of its numbers if it is another's.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// What it is like.
    pub const fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// See [`blkdev::Disks::submit`].
    pub fn submit(&self, queue: usize, burst: &[Request<'_>]) -> Result<usize, Error> {
        let mut queue = self.queues.get(queue).ok_or(Error::Nowhere)?.lock();
        self.check()?;
        let accepted = burst.iter().take_while(|request| self.add(&mut queue, request));
        let count = accepted.count();
        self.device.lock().notify(&queue.line);
        Ok(count)
    }

    /// All its queues are of no more use once it is stopped.
    fn check(&self) -> Result<(), Error> {
        if self.broken.load(Ordering::Acquire) { Err(Error::Failed) } else { Ok(()) }
    }

    /// Adds a request; `false` if the queue has no room for it.
    fn add(&self, queue: &mut Queue, request: &Request<'_>) -> bool {
        let Request { operation, sector, cookie, .. } = *request;
        let result = match self.answer(request) {
            Some(result) => result,
            None => {
                let parts = request.parts().iter().filter_map(|part| lend(part, operation));
                return queue.line.add(of(operation), sector, parts, cookie).is_ok();
            }
        };
        queue.done.push_back(Done { cookie, result });
        true
    }

    /// The answer that needs no device, if there is one.
    fn answer(&self, request: &Request<'_>) -> Option<Result<(), Error>> {
        let bytes = request.bytes();
        let end = request.sector.checked_add((bytes / SECTOR) as u64);
        match request.operation {
            Operation::Flush if !self.has_flush => Some(Ok(())),
            Operation::Flush => None,
            Operation::Write if self.geometry.read_only => Some(Err(Error::ReadOnly)),
            _ if end.is_none_or(|end| end > self.geometry.sectors) || !bytes.is_multiple_of(SECTOR) => {
                Some(Err(Error::Nowhere))
            }
            operation => {
                let reachable = request.parts().iter().all(|part| lend(part, operation).is_some());
                (!reachable || request.parts().len() > self.geometry.parts).then_some(Err(Error::Failed))
            }
        }
    }

    /// See [`blkdev::Disks::take`].
    pub fn take(&self, queue: usize, done: &mut [Done]) -> Result<usize, Error> {
        let mut queue = self.queues.get(queue).ok_or(Error::Nowhere)?.lock();
        for (index, place) in done.iter_mut().enumerate() {
            self.check()?;
            let taken = match queue.done.pop_front() {
                Some(done) => Ok(Some(done)),
                None => queue.line.take().map(|taken| taken.map(told)),
            };
            match taken {
                Ok(Some(taken)) => *place = taken,
                Ok(None) => return Ok(index),
                Err(_) => {
                    self.broken.store(true, Ordering::Release);
                    self.device.lock().stop();
                    return Err(Error::Failed);
                }
            }
        }
        Ok(done.len())
    }

    /// See [`blkdev::Disks::set_interrupts`].
    pub fn set_interrupts(&self, queue: usize, wanted: bool) -> bool {
        if let Some(queue) = self.queues.get(queue).filter(|_| self.interrupts) {
            queue.lock().line.set_interrupts(wanted);
        }
        self.interrupts
    }
}

const fn of(operation: Operation) -> block::Operation {
    match operation {
        Operation::Read => block::Operation::Read,
        Operation::Write => block::Operation::Write,
        Operation::Flush => block::Operation::Flush,
    }
}

const fn told((cookie, outcome): (u32, Outcome)) -> Done {
    Done { cookie, result: if matches!(outcome, Outcome::Done) { Ok(()) } else { Err(Error::Failed) } }
}

/// Lends a part to the device, if it can reach it.
fn lend(part: &blkdev::Part, operation: Operation) -> Option<Lent> {
    let physical = board::physical_of_any(part.start(), part.length())?;
    let length = u32::try_from(part.length()).ok()?;
    // SAFETY: whoever submitted the request has promised so (`blkdev::Request::new`), and a queue that breaks has its
    // device stopped.
    Some(unsafe { Lent::new(physical, length, operation == Operation::Read) })
}

/// Asks a device for the number that the command has given it.
fn number(device: &Device<AnyTransport>, line: &mut Line, name: &Shared) -> usize {
    const LOOKS: usize = 100_000_000;
    const OTHERS: usize = usize::MAX;
    let Some(place) = name.part(0, NAME) else { return OTHERS };
    if line.add(block::Operation::Name, 0, core::iter::once(place.lend(true)), 0).is_err() {
        return OTHERS;
    }
    device.notify(line);
    for _ in 0..LOOKS {
        match line.take() {
            Ok(None) => sync::relax(),
            Ok(Some((_, Outcome::Done))) => break,
            _ => return OTHERS,
        }
    }
    let mut bytes = [0; NAME];
    place.read(0, &mut bytes);
    let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    core::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).unwrap_or(OTHERS)
}
