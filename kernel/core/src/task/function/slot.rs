//! A thread's slot, and handles of it.

use alloc::{boxed::Box, sync::Arc};
use core::{
    alloc::Layout,
    cell::{Cell, UnsafeCell},
    fmt,
    num::NonZero,
    ptr,
    sync::atomic::Ordering::Relaxed,
};

use sched::Parameters;

use super::{locals::Locals, pool, scope::Count};
use crate::{
    task::{
        self, Key, Resources, Thread,
        look::look,
        schedule,
        thread::{Form, set_current},
    },
    timer,
};

/// What a new thread is to have.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Bytes of its stack; 0 for the image's usual size.
    pub stack: usize,
    /// Its name.
    pub name: Option<Box<str>>,
    /// Whether the vector registers are saved when it is left: for functions in other languages that keep something
    /// there across calls. Compiled Rust does not, so a switch has nothing to save.
    pub vectors: bool,
    /// What the scheduler is told about it; the usual if nothing is said, whoever makes it.
    pub parameters: Option<Parameters>,
}

/// Slots are the resources of these threads.
static KEY: Key<Slot> = Key::new();

/// What a thread has beyond the kernel's.
pub(super) struct Slot {
    /// The thread, once it is made; it lives as long as the slot.
    thread: Cell<*const Thread>,
    /// Handles, and one for the thread itself until its stack has been left.
    pub(super) owners: Cell<usize>,
    /// The stack's lowest address, and its size; 0 for the boot stack.
    pub(super) stack: (usize, usize),
    /// 0 as long as nobody has asked.
    identity: Cell<u64>,
    pub(super) name: UnsafeCell<Option<Box<str>>>,
    /// What it runs: takes what is in `place` and leaves its result there.
    pub(super) body: Cell<unsafe fn(*mut u8)>,
    /// Drops the result that will be in `place`, which nobody will take.
    pub(super) drop_result: Cell<Option<unsafe fn(*mut u8)>>,
    pub(super) place: Cell<*mut u8>,
    pub(super) finished: Cell<bool>,
    /// Whether it has more than a stack of the usual size, or the scheduler was told about it.
    pub(super) special: Cell<bool>,
    /// Who waits for its end.
    pub(super) joiner: Cell<Option<&'static Thread>>,
    pub(super) scope: Cell<Option<*const Count>>,
    pub(super) locals: Locals,
    /// The next free slot.
    pub(super) next: Cell<Option<&'static Slot>>,
}

// SAFETY: one processor, and threads are not interrupted: `mod.rs` says so, and `spawn` insists on the first.
unsafe impl Send for Slot {}
// SAFETY: as above.
unsafe impl Sync for Slot {}

/// Stacks are aligned as the System V ABI wants them, and to cache lines.
const ALIGNMENT: usize = 64;

/// Threads of this kind: neither address space nor page tables.
static FUNCTION: Form = Form {
    // SAFETY: the thread was the last owner of its slot.
    let_go: |thread| unsafe { &*ptr::from_ref(thread.resources(&KEY)) }.free(),
    idle: contracts::processor::idle,
    take_in: || {
        timer::expire_if_any(schedule::slice_end);
        look();
    },
    dismantle: |thread| {
        let (base, size) = thread.resources(&KEY).stack;
        if let Some(layout) = layout(size).filter(|_| size != 0) {
            // SAFETY: `Slot::make` allocated it, and its thread has ended.
            unsafe { alloc::alloc::dealloc(base as *mut u8, layout) };
        }
    },
};

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size, ALIGNMENT).ok()
}

impl Slot {
    fn new(stack: (usize, usize)) -> Self {
        Self {
            thread: Cell::new(ptr::null()),
            owners: Cell::new(0),
            stack,
            identity: Cell::new(0),
            name: UnsafeCell::new(None),
            body: Cell::new(|_| ()),
            drop_result: Cell::new(None),
            place: Cell::new(ptr::null_mut()),
            finished: Cell::new(false),
            special: Cell::new(true),
            joiner: Cell::new(None),
            scope: Cell::new(None),
            locals: Locals::new(),
            next: Cell::new(None),
        }
    }

    /// Gives it a thread, which owns it from now on.
    fn with_thread(self) -> &'static Self {
        let start = || unreachable!("its first frame says where it starts");
        let thread = Thread::new(self.top(), 0, start, (&FUNCTION, None), Resources::new(&KEY, self));
        let thread = Thread::leak(thread);
        let slot = thread.resources(&KEY);
        slot.thread.set(thread);
        slot
    }

    /// With a new stack of `size` bytes; `None`: there is no memory.
    pub(super) fn make(size: usize) -> Option<&'static Self> {
        // SAFETY: `size` is not 0.
        let base = unsafe { alloc::alloc::alloc(layout(size)?) };
        (!base.is_null()).then(|| Self::new((base as usize, size)).with_thread())
    }

    #[inline(always)]
    pub(super) fn thread(&self) -> &'static Thread {
        // SAFETY: set by `with_thread` before anybody has the slot; the thread goes with it.
        unsafe { &*self.thread.get() }
    }

    /// The stack's end.
    #[inline(always)]
    pub(super) fn top(&self) -> usize {
        self.stack.0 + self.stack.1
    }

    /// Makes it a new thread's, of which there is one handle: the stack from its top again, below what the function
    /// captures.
    #[inline(always)]
    pub(super) fn begin_again(&self, begin: extern "C" fn() -> !) {
        // SAFETY: the stack is its own, and nobody runs on it.
        let frame = unsafe { instruction_set::switch::first_frame(self.place.get() as usize, begin) };
        let thread = self.thread();
        thread.stack_pointer.store(frame, Relaxed);
        thread.permit.store(task::park::RUNNING, Relaxed);
        self.identity.set(0);
        self.finished.set(false);
        self.owners.set(2);
    }

    /// Tells the scheduler about its thread. The slot is not kept for others then.
    pub(super) fn say(&self, parameters: Parameters) {
        self.special.set(true);
        task::set_parameters(self.thread(), parameters);
    }

    /// Frees it and its thread.
    pub(super) fn free(&'static self) {
        // SAFETY: nobody has a handle, and the stack has been left; `with_thread` left this owner.
        drop(unsafe { Arc::from_raw(self.thread.get()) });
    }
}

/// A number that no other thread has or had.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ThreadId(NonZero<u64>);

impl fmt::Debug for ThreadId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ThreadId").field(&self.0).finish()
    }
}

/// A thread that is kept, with what is known about it, also when it has ended.
pub struct Handle(&'static Slot);

impl Handle {
    #[inline]
    pub(super) fn new(slot: &'static Slot) -> Self {
        slot.owners.set(slot.owners.get() + 1);
        Self(slot)
    }

    /// The handle that [`Slot::begin_again`] has counted.
    #[inline(always)]
    pub(super) fn first(slot: &'static Slot) -> Self {
        Self(slot)
    }

    #[inline]
    pub(super) fn slot(&self) -> &'static Slot {
        self.0
    }

    /// A number that no other thread of the image has or had.
    #[must_use]
    pub fn id(&self) -> ThreadId {
        if self.0.identity.get() == 0 {
            self.0.identity.set(pool::identity());
        }
        ThreadId(NonZero::new(self.0.identity.get()).unwrap_or(NonZero::<u64>::MIN))
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        // SAFETY: it is changed before there is a handle, and when there is none any more.
        unsafe { (*self.0.name.get()).as_deref() }
    }

    /// What the scheduler knows about it.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        task::parameters(self.0.thread())
    }

    /// Tells the scheduler about it. Who should run now does when the caller waits or yields. A thread that has ended
    /// is left alone.
    pub fn set_parameters(&self, parameters: Parameters) {
        if !self.0.finished.get() {
            self.0.say(parameters);
        }
    }

    /// Gives it its permit: see [`task::unpark`]. A thread that has ended is left alone.
    pub fn unpark(&self) {
        if !self.0.finished.get() {
            task::unpark(self.0.thread());
        }
    }
}

impl Clone for Handle {
    #[inline]
    fn clone(&self) -> Self {
        Self::new(self.0)
    }
}

impl Drop for Handle {
    #[inline]
    fn drop(&mut self) {
        pool::give_up(self.0);
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Thread").field("id", &self.id()).field("name", &self.name()).finish_non_exhaustive()
    }
}

/// The slot of the thread that runs. The first who asks makes the boot thread one.
#[inline]
pub(super) fn running() -> &'static Slot {
    match task::try_current() {
        Some(thread) => thread.resources(&KEY),
        None => adopt(),
    }
}

/// Makes sure that who runs is a thread, which may then wait.
pub fn ready() {
    running();
}

/// A handle of the thread that runs.
#[inline]
#[must_use]
pub fn current() -> Handle {
    Handle::new(running())
}

const FIRST: u64 = 1;

/// Makes the boot thread one of these: on the boot stack, which nobody frees.
#[cold]
fn adopt() -> &'static Slot {
    let slot = Slot::new((0, 0)).with_thread();
    slot.owners.set(1);
    slot.identity.set(FIRST);
    // SAFETY: nobody else has the slot yet.
    unsafe { *slot.name.get() = Some("main".into()) };
    set_current(slot.thread());
    task::schedule::begin_with(slot.thread());
    slot
}
