//! Threads of the kernel: functions that run beside the application's threads.
//!
//! Such a thread has no address space, no application and no registers of one. It works in whatever space is active, so
//! what it touches is the kernel's. It waits by [`super::park`], [`super::wait_until`] and the queues of `sync` like
//! any other; the scheduler knows no difference. The kernel is not pre-empted: a thread that works for long lets others
//! run by [`super::breathe`] or [`super::yield_now`].

use alloc::{boxed::Box, sync::Arc};
use core::{
    fmt, ptr,
    sync::atomic::{AtomicBool, Ordering},
};

use sync::{Mutex, WaitQueue};

use super::{
    Key, Resources, Thread, current, exit, kernel_stack::KernelStack, sleep_on, spawn, start, try_current, unpark,
};

/// A handle of a thread of the kernel. Who drops it leaves the thread to itself.
pub struct KernelThread(Arc<Thread>);

/// Why there is no such thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotSpawned {
    /// No memory is left for its stack.
    OutOfMemory,
    /// The image's scheduler knows one thread only.
    OneThread,
}

/// Works are the resources of these threads.
static KEY: Key<Work> = Key::new();

/// What a thread of the kernel has beyond the others.
struct Work {
    name: &'static str,
    /// What it runs, until it does.
    body: Mutex<Option<Box<dyn FnOnce() + Send>>>,
    has_ended: AtomicBool,
    /// Those who wait for its end.
    joiners: WaitQueue,
}

impl KernelThread {
    /// Has `body` run in a thread of its own, which ends when `body` returns. Its stack is a kernel stack like all
    /// others. The caller is a thread; the new one has its priority and its processors.
    ///
    /// # Errors
    /// [`NotSpawned`]; nothing has begun then.
    pub fn spawn(name: &'static str, body: impl FnOnce() + Send + 'static) -> Result<Self, NotSpawned> {
        if contracts::scheduler::capacity() < 2 {
            return Err(NotSpawned::OneThread);
        }
        spawn::start_processors();
        let stack = KernelStack::take().map_err(|_| NotSpawned::OutOfMemory)?;
        let work = Work {
            name,
            body: Mutex::new(Some(Box::new(body))),
            has_ended: AtomicBool::new(false),
            joiners: WaitQueue::new(),
        };
        let thread = spawn::kernel_thread(stack.top, run, Resources::new(&KEY, work));
        start(Arc::clone(&thread));
        Ok(Self(thread))
    }

    fn work(&self) -> &Work {
        self.0.resources(&KEY)
    }

    /// What it was named.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.work().name
    }

    /// Gives it its permit: see [`super::unpark`]. One that has ended is left alone.
    pub fn wake(&self) {
        unpark(&self.0);
    }

    /// Whether its function has returned.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.work().has_ended.load(Ordering::Acquire)
    }

    /// Waits until its function has returned. Panics in the thread itself, which would wait for ever.
    pub fn join(self) {
        let joins_itself = try_current().is_some_and(|this| ptr::eq(this, &raw const *self.0));
        assert!(!joins_itself, "the kernel's thread `{}` cannot join itself", self.name());
        sleep_on(&self.work().joiners, &mut || self.has_ended());
    }
}

impl fmt::Debug for KernelThread {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("KernelThread");
        fields.field("name", &self.name()).field("has_ended", &self.has_ended()).finish()
    }
}

/// All that such a thread does.
fn run() -> ! {
    let work = current().resources(&KEY);
    // Taken out first: the function runs under no lock.
    let body = work.body.lock().take();
    if let Some(body) = body {
        body();
    }
    work.has_ended.store(true, Ordering::Release);
    work.joiners.wake_all();
    exit()
}
