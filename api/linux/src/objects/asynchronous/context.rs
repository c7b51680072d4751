//! A context: what its requests came to, and the polls that are under way.

use alloc::{collections::VecDeque, sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use linux_abi::{
    Errno, FileDescriptor,
    constants::{EPOLLONESHOT, POLLERR, POLLHUP},
    structures::{EpollEvent, IoControl, IoEvent},
};
use sync::{Mutex, WaitQueue};
use vfs::SliceSource;

use crate::{
    objects::{
        descriptors::Description,
        events::{Epoll, EventFd, Events},
    },
    process,
};

/// A context of io_setup(2).
pub struct Context {
    /// Most requests that are under way or whose events nobody has taken.
    most: usize,
    done: Mutex<VecDeque<IoEvent>>,
    /// Woken when an event comes.
    pub changed: WaitQueue,
    polls: Mutex<Vec<Poll>>,
    /// What the polls wait for, each by its number.
    pub watched: Arc<Epoll>,
    next: AtomicI32,
    /// It is gone for programs: nobody waits for it any more.
    pub ended: AtomicBool,
}

/// A poll that is under way.
struct Poll {
    number: i32,
    event: IoEvent,
    description: Arc<Description>,
    teller: Option<Arc<Description>>,
}

impl Context {
    /// An empty one.
    #[must_use]
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            done: Mutex::default(),
            changed: WaitQueue::new(),
            polls: Mutex::default(),
            watched: Epoll::new(),
            next: AtomicI32::new(0),
            ended: AtomicBool::new(false),
        })
    }

    /// The running process' context with this number; EINVAL if there is none.
    pub fn find(address: usize) -> Result<Arc<Self>, Errno> {
        let contexts = process().asynchronous.lock();
        let (_, context) = contexts.iter().find(|(known, _)| *known == address).ok_or(Errno::EINVAL)?;
        Arc::clone(context).downcast().map_err(|_| Errno::EINVAL)
    }

    /// Whoever waits here waits for nothing now.
    pub fn end_waits(&self) {
        self.ended.store(true, Ordering::SeqCst);
        self.changed.wake_all();
    }

    /// EAGAIN if there is no room for one more request.
    pub fn check_room(&self) -> Result<(), Errno> {
        let held = self.done.lock().len() + self.polls.lock().len();
        if held < self.most { Ok(()) } else { Err(Errno::EAGAIN) }
    }

    /// A request is done.
    pub fn finish(&self, event: IoEvent, teller: Option<&Arc<Description>>) {
        self.done.lock().push_back(event);
        self.changed.wake_all();
        if let Some(teller) = teller {
            // A counter that is full has told already.
            let _ = teller.node.write_at(0, &mut SliceSource::new(&1_u64.to_ne_bytes()));
        }
    }

    /// Begins to wait for events of an open file.
    pub fn poll(
        &self,
        request: &IoControl,
        event: IoEvent,
        description: &Arc<Description>,
        teller: Option<Arc<Description>>,
    ) -> Result<(), Errno> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let wanted = request.aio_buf as u32 | u32::from(POLLERR | POLLHUP);
        self.polls.lock().push(Poll { number, event, description: Arc::clone(description), teller });
        let watched = EpollEvent { events: wanted | EPOLLONESHOT, data: [number as u32, 0] };
        self.watched.add(number, description, watched).inspect_err(|_| drop(self.take(number)))?;
        self.look();
        Ok(())
    }

    fn take(&self, number: i32) -> Option<Poll> {
        let mut polls = self.polls.lock();
        let index = polls.iter().position(|poll| poll.number == number)?;
        Some(polls.swap_remove(index))
    }

    /// Has the polls done whose events have come.
    pub fn look(&self) {
        if self.polls.lock().is_empty() {
            return;
        }
        let mut found = Events::new();
        self.watched.look(usize::MAX, &mut found);
        for EpollEvent { events, data } in found {
            if let Some(poll) = self.take(data[0] as i32) {
                self.end(poll, events.into());
            }
        }
    }

    fn end(&self, poll: Poll, result: i64) {
        let _ = self.watched.remove(poll.number, &poll.description);
        self.finish(IoEvent { res: result, ..poll.event }, poll.teller.as_ref());
    }

    /// Ends the poll that was asked for by the structure at `request`; `false` if none is under way.
    pub fn cancel(&self, request: u64) -> bool {
        let number = self.polls.lock().iter().find(|poll| poll.event.obj == request).map(|poll| poll.number);
        let Some(poll) = number.and_then(|number| self.take(number)) else { return false };
        self.end(poll, 0);
        true
    }

    /// The events that came first, at most so many.
    pub fn collect(&self, most: usize) -> Vec<IoEvent> {
        self.look();
        let mut done = self.done.lock();
        let count = most.min(done.len());
        done.drain(..count).collect()
    }
}

/// The open file at `number`, if it is a counter (IOCB_FLAG_RESFD).
pub fn teller(number: u32) -> Result<Arc<Description>, Errno> {
    let description = crate::objects::files::usable(FileDescriptor(number as i32))?;
    description.node_as::<EventFd>()?;
    Ok(description)
}
