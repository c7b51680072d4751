//! Exchanging messages with a device, several at a time.
//!
//! Who waits for a reply polls for a moment and then sleeps, if there are threads and it may
//! ([`sync::wait_for_device`]); else its processor halts. The device interrupts only meanwhile. Memory of callers in
//! the direct map is lent to the device as it is, other memory (a stack's, mostly a request's few bytes) goes through a
//! page of the request's own.

use alloc::vec::Vec;
use core::{array, cell::Cell, ptr::NonNull};

use machine::PAGE_SIZE;
use ninep::{Lost, Transport};
use sync::{Mutex, WaitQueue};
use vfs::FileError;
use virtio::{
    Lent, Shared,
    ninep::{Channel, PARTS, QUEUE_MEMORY},
    queue::Watch,
};

use crate::board::{self, Listening};
use crate::transport::AnyTransport;

/// Looks of those who may not sleep before the processor halts: a device that is emulated beside us answers within
/// these more often than not.
const LOOKS: u32 = 200;
/// Requests that can be under way.
const SLOTS: usize = 8;
/// Slots that those who may sleep leave to those who may not: these would wait for ever for one that sleeps.
const SPARE: usize = 1;
/// Parts of a request at most: a message is a head, what it carries, and an end.
const REQUEST_PARTS: usize = 3;
/// Bytes of a message: a head, and what fits into a reply's parts; a megabyte where memory is in larger pieces.
const MESSAGE: usize = (1 << 20) + PAGE_SIZE;

/// A device that answers requests.
pub struct Exchange {
    state: Mutex<State>,
    /// Whether the device can interrupt.
    interrupts: bool,
    /// Woken when a slot is free.
    freed: WaitQueue,
}

struct State {
    channel: Channel<AnyTransport>,
    slots: [Slot; SLOTS],
    /// Who sleeps until its request is done.
    sleepers: usize,
    /// It broke the protocol, and was stopped.
    broken: bool,
}

/// A request that may be under way.
#[derive(Clone, Copy)]
struct Slot {
    page: Shared,
    state: Progress,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Free,
    Sent,
    /// Bytes of the reply.
    Done(u32),
}

impl Exchange {
    /// Takes a device over.
    pub fn start((device, interrupts): (AnyTransport, bool)) -> Result<Self, FileError> {
        let pages = |count: usize| {
            let (start, physical) = board::allocate_frames(count)?;
            // SAFETY: fresh frames, page aligned, mapped for ever, and nobody else's.
            Some(unsafe { Shared::new(start, physical, count * PAGE_SIZE) })
        };
        let queue = pages(QUEUE_MEMORY.div_ceil(PAGE_SIZE)).ok_or(FileError::NoMemory)?;
        let staging = pages(SLOTS).ok_or(FileError::NoMemory)?;
        let page = |index| staging.part(index * PAGE_SIZE, PAGE_SIZE).unwrap_or(staging);
        let slots = array::from_fn(|index| Slot { page: page(index), state: Progress::Free });
        let channel = Channel::start(device, &queue).map_err(|_| FileError::Failed)?;
        let state = Mutex::new(State { channel, slots, sleepers: 0, broken: false });
        Ok(Self { state, interrupts, freed: WaitQueue::new() })
    }

    /// A slot of our own, and its page.
    fn take_slot(&self) -> Result<(usize, Shared), Lost> {
        let spare = if sync::may_sleep() { SPARE } else { 0 };
        let mut taken = None;
        sync::wait_on(&self.freed, &mut || {
            taken = self.state.lock().take_slot(spare);
            taken.is_some()
        });
        taken.unwrap_or(Err(Lost))
    }

    fn free_slot(&self, index: usize) {
        self.state.lock().slots[index].state = Progress::Free;
        self.freed.wake_all();
    }

    /// Sends a chain, as soon as the queue has room, and waits for its end: the bytes of the reply.
    fn run(&self, chain: &[Lent], index: usize) -> Result<usize, Lost> {
        let (watch, mut sent, mut result) = (Cell::new(None::<Watch>), false, None);
        let has_news = || watch.get().is_none_or(|watch| watch.has_news());
        let ready = &mut || {
            // Whoever has taken this reply in meanwhile has taken news in.
            if !has_news() {
                return false;
            }
            let mut state = self.state.lock();
            sent = sent || !state.broken && state.channel.send(chain, index as u32).is_ok();
            state.take_in();
            watch.set(sent.then(|| state.channel.watch()));
            result = match state.slots[index].state {
                Progress::Done(count) if sent => Some(Ok(count as usize)),
                _ if state.broken => Some(Err(Lost)),
                _ => None,
            };
            result.is_some()
        };
        if !ready() {
            self.wait(ready, &has_news);
        }
        result.unwrap_or(Err(Lost))
    }

    /// Waits until `ready` holds, which it cannot without news. A processor that may do nothing else meanwhile halts
    /// after some looks: the device may want the host's processor on which it would spin.
    fn wait(&self, ready: &mut dyn FnMut() -> bool, has_news: &dyn Fn() -> bool) {
        if sync::may_sleep() || !self.interrupts {
            return sync::wait_for_device(ready, &|wanted| self.set_interrupts(wanted));
        }
        let came = (0..LOOKS).any(|_| {
            sync::relax();
            has_news()
        });
        if came && ready() {
            return;
        }
        self.set_interrupts(true);
        let listening = Listening::begin();
        while !ready() {
            board::idle();
        }
        drop(listening);
        self.set_interrupts(false);
        // Idling took the mark of work that is not ours away.
        board::mark_pending();
    }

    /// One more sleeps, or one less; `false` if nobody would be woken.
    fn set_interrupts(&self, wanted: bool) -> bool {
        if self.interrupts {
            let mut state = self.state.lock();
            let before = state.sleepers;
            state.sleepers = if wanted { before + 1 } else { before.saturating_sub(1) };
            let now = state.sleepers;
            if (before == 0) != (now == 0) {
                state.channel.set_interrupts(now > 0);
            }
        }
        self.interrupts
    }
}

impl State {
    /// Takes a free slot, if more than `spare` are; `None` if there is none.
    fn take_slot(&mut self, spare: usize) -> Option<Result<(usize, Shared), Lost>> {
        if self.broken {
            return Some(Err(Lost));
        }
        let mut free = self.slots.iter_mut().enumerate().filter(|(_, slot)| slot.state == Progress::Free);
        let (index, slot) = free.next()?;
        if free.count() < spare {
            return None;
        }
        slot.state = Progress::Sent;
        Some(Ok((index, slot.page)))
    }

    /// Notes what is done.
    fn take_in(&mut self) {
        loop {
            match self.channel.take() {
                Ok(None) => return,
                Ok(Some(used)) => {
                    if let Some(slot) = self.slots.get_mut(used.cookie as usize) {
                        slot.state = Progress::Done(used.written);
                    }
                }
                Err(_) => {
                    self.broken = true;
                    self.channel.stop();
                    return;
                }
            }
        }
    }
}

impl Transport for Exchange {
    fn message_size(&self) -> u32 {
        MESSAGE as u32
    }

    fn reply_parts(&self) -> usize {
        PARTS - REQUEST_PARTS
    }

    fn exchange(&self, request: &[&[u8]], reply: &mut [&mut [u8]]) -> Result<usize, Lost> {
        let (index, page) = self.take_slot()?;
        let result = Chain::new(page, request, reply).and_then(|chain| {
            let length = self.run(&chain.lent, index)?;
            chain.copy_back(reply);
            Ok(length.min(reply.iter().map(|part| part.len()).sum()))
        });
        self.free_slot(index);
        result
    }
}

/// What is lent for a request.
struct Chain {
    lent: Vec<Lent>,
    page: Shared,
    /// Bytes of the page that are in use.
    used: usize,
    /// Where in the page parts of the reply arrive: their number and the offset.
    staged: Vec<(usize, usize)>,
}

impl Chain {
    fn new(page: Shared, request: &[&[u8]], reply: &mut [&mut [u8]]) -> Result<Self, Lost> {
        let lent = Vec::with_capacity(request.len() + reply.len());
        let mut chain = Self { lent, page, used: 0, staged: Vec::new() };
        for part in request.iter().filter(|part| !part.is_empty()) {
            match board::physical(NonNull::from(&**part).cast(), part.len()) {
                Some(address) => chain.lend(address, part.len(), false),
                None => {
                    let place = chain.stage(part.len())?;
                    place.write(0, part);
                    chain.lend(place.physical(), part.len(), false);
                }
            }
        }
        for (number, part) in reply.iter_mut().enumerate().filter(|(_, part)| !part.is_empty()) {
            match board::physical(NonNull::from(&mut **part).cast(), part.len()) {
                Some(address) => chain.lend(address, part.len(), true),
                None => {
                    chain.staged.push((number, chain.used));
                    let place = chain.stage(part.len())?;
                    chain.lend(place.physical(), part.len(), true);
                }
            }
        }
        if chain.lent.len() > PARTS { Err(Lost) } else { Ok(chain) }
    }

    /// A stretch of the page.
    fn stage(&mut self, length: usize) -> Result<Shared, Lost> {
        let place = self.page.part(self.used, length).ok_or(Lost)?;
        self.used += length;
        Ok(place)
    }

    fn lend(&mut self, physical: u64, length: usize, writable: bool) {
        // SAFETY: the callers of `exchange` have lent these bytes to it, the writable ones for it alone, and it returns
        // when the request is done or the device stopped. The page is the slot's.
        self.lent.push(unsafe { Lent::new(physical, length as u32, writable) });
    }

    /// Copies what arrived in the page to where it belongs.
    fn copy_back(&self, reply: &mut [&mut [u8]]) {
        for &(number, offset) in &self.staged {
            if let Some(part) = reply.get_mut(number) {
                self.page.read(offset, part);
            }
        }
    }
}
