//! The slots `processor` and `alarm`: threads of the host, each with a thread of the kernel, an active space and an
//! alarm.
//!
//! One that idles waits until somebody has something for it. When all idle, the clock moves to the earliest alarm; if
//! there is none, nobody can wake anybody any more: a wake-up was lost, and the test fails.

use std::{
    cell::{Cell, UnsafeCell},
    sync::{
        Condvar, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

use machine::{CONTEXT_ROOM, Context, Fault, ThreadHandle, ThreadResources};

use crate::{
    clock,
    failure::{self, give_in},
};

/// Fills the slot `processor`.
#[derive(Debug)]
pub struct Processor;

/// Fills the slot `alarm`.
#[derive(Debug)]
pub struct Alarm;

/// Most processors.
const MOST: usize = 4;

/// Bytes of XSAVE's least area: the legacy one and the header (Intel SDM volume 1, 13.4).
const VECTORS: usize = 512 + 64;

thread_local! {
    static NUMBER: Cell<usize> = const { Cell::new(0) };
}

/// What a processor's own thread of the host reads and writes.
struct Block {
    thread: AtomicUsize,
    key: AtomicUsize,
    resources: AtomicUsize,
    stack_top: AtomicUsize,
    space: AtomicUsize,
    thread_pointer: AtomicUsize,
}

static BLOCKS: [Block; MOST] = [const {
    Block {
        thread: AtomicUsize::new(0),
        key: AtomicUsize::new(0),
        resources: AtomicUsize::new(0),
        stack_top: AtomicUsize::new(0),
        space: AtomicUsize::new(0),
        thread_pointer: AtomicUsize::new(0),
    }
}; MOST];

/// What processors tell each other.
#[derive(Clone, Copy)]
struct Mark {
    is_online: bool,
    idles: bool,
    pending: bool,
    alarm: Option<u64>,
}

static MARKS: Mutex<[Mark; MOST]> =
    Mutex::new([Mark { is_online: false, idles: false, pending: false, alarm: None }; MOST]);
static CHANGED: Condvar = Condvar::new();

fn marks() -> MutexGuard<'static, [Mark; MOST]> {
    MARKS.lock().unwrap_or_else(PoisonError::into_inner)
}

// A thread of the kernel may go on on another thread of the host: never in line, so that nothing is remembered.
#[inline(never)]
fn here() -> usize {
    NUMBER.get()
}

fn block() -> &'static Block {
    &BLOCKS[here()]
}

/// This thread of the host is this processor from now on.
pub(crate) fn be(number: usize) {
    NUMBER.set(number);
    failure::keep_panics();
    marks()[number].is_online = true;
}

/// How an application is entered, which stands above this.
static ENTER: OnceLock<fn(&Context) -> !> = OnceLock::new();

/// Has applications entered by `enter`.
pub(crate) fn enter_by(enter: fn(&Context) -> !) {
    ENTER.get_or_init(|| enter);
}

fn enter(context: &Context) -> ! {
    ENTER.get().expect("the machine has booted")(context)
}

impl machine::Alarm for Alarm {
    fn set(&self, deadline: Option<u64>) {
        marks()[here()].alarm = deadline;
    }
}

pub(crate) fn enter_space(number: usize) {
    block().space.store(number, SeqCst);
}

/// No processor translates by this space any more.
pub(crate) fn leave_space(number: usize) {
    for block in &BLOCKS {
        let _ = block.space.compare_exchange(number, 0, SeqCst, SeqCst);
    }
}

/// The space that is active here; 0 if none is.
#[must_use]
pub fn active_space() -> usize {
    block().space.load(SeqCst)
}

/// Something is there for a processor.
pub(crate) fn mark(number: usize) {
    marks()[number].pending = true;
    CHANGED.notify_all();
}

/// Moves the clock to the earliest alarm and marks its processor.
fn let_time_pass(marks: &mut [Mark; MOST]) {
    let earliest = marks.iter_mut().filter(|mark| mark.alarm.is_some()).min_by_key(|mark| mark.alarm);
    let Some((earliest, moment)) = earliest.and_then(|mark| mark.alarm.take().map(|moment| (mark, moment))) else {
        give_in("all threads sleep and no alarm is set: a wake-up was lost");
    };
    earliest.pending = true;
    clock::pass(moment);
    CHANGED.notify_all();
}

/// Has this processor look for work before it goes on with the application.
pub(crate) fn mark_here() {
    mark(here());
}

/// Whether work is pending here; from now on it is not.
pub(crate) fn take_pending() -> bool {
    std::mem::take(&mut marks()[here()].pending)
}

fn lies(top: usize) -> *mut Context {
    (top - CONTEXT_ROOM) as *mut Context
}

/// The registers at the top of the running thread's stack.
pub(crate) fn laid() -> Context {
    // SAFETY: the room is theirs alone, and nobody holds a reference to them.
    unsafe { lies(block().stack_top.load(SeqCst)).read() }
}

/// Lays registers there.
pub(crate) fn lay(context: &Context) {
    // SAFETY: as above.
    unsafe { lies(block().stack_top.load(SeqCst)).write(*context) };
}

/// The first thread runs on a stack of the host's; here is the room for its registers alone.
static BOOT_ROOM: BootRoom = BootRoom(UnsafeCell::new([0; CONTEXT_ROOM]));

#[repr(align(16))]
struct BootRoom(UnsafeCell<[u8; CONTEXT_ROOM]>);

// SAFETY: only the processor that runs the first thread looks at its registers.
unsafe impl Sync for BootRoom {}

impl machine::Processor for Processor {
    fn thread(&self) -> ThreadHandle {
        block().thread.load(SeqCst)
    }

    fn resources(&self) -> ThreadResources {
        ThreadResources { key: block().key.load(SeqCst), block: block().resources.load(SeqCst) }
    }

    fn set_thread(&self, thread: ThreadHandle, resources: ThreadResources, kernel_stack_top: usize) {
        block().thread.store(thread, SeqCst);
        block().key.store(resources.key, SeqCst);
        block().resources.store(resources.block, SeqCst);
        block().stack_top.store(kernel_stack_top, SeqCst);
    }

    fn boot_stack_top(&self) -> usize {
        BOOT_ROOM.0.get() as usize + CONTEXT_ROOM
    }

    fn number(&self) -> usize {
        here()
    }

    fn count(&self) -> usize {
        contracts::scheduler::processors().min(MOST)
    }

    fn start_others(&self) {
        sync::on_spin(std::thread::yield_now);
        for number in 1..self.count() {
            let begin = move || {
                be(number);
                // Their first threads idle for ever: no stack of theirs is put by.
                contracts::kernel::join(0)
            };
            std::thread::Builder::new().name(format!("processor {number}")).spawn(begin).expect("a thread of the host");
            while !marks()[number].is_online {
                std::thread::yield_now();
            }
        }
    }

    fn notify(&self, number: usize) {
        mark(number);
    }

    fn synchronize(&self) {}

    fn enter(&self, context: &Context) -> ! {
        enter(context)
    }

    fn lay(&self, stack_top: usize, context: &Context) {
        // SAFETY: the room at the top of a stack that nobody runs on.
        unsafe { lies(stack_top).write(*context) };
    }

    fn enter_laid(&self) -> ! {
        enter(&laid())
    }

    fn idle(&self) {
        let here = here();
        let mut marks = marks();
        marks[here].idles = true;
        while !marks[here].pending {
            if marks.iter().all(|mark| !mark.is_online || mark.idles && !mark.pending) {
                let_time_pass(&mut marks);
            } else {
                marks = CHANGED.wait(marks).unwrap_or_else(PoisonError::into_inner);
            }
        }
        marks[here].idles = false;
        marks[here].pending = false;
    }

    fn mark_pending(&self) {
        mark(here());
    }

    fn thread_pointer(&self) -> usize {
        block().thread_pointer.load(SeqCst)
    }

    fn set_thread_pointer(&self, address: usize) -> bool {
        block().thread_pointer.store(address, SeqCst);
        true
    }

    /// Vector registers are the host's, who keeps them: the least area that XRSTOR takes, of none.
    fn save_extended(&self, address: usize) -> Result<(), Fault> {
        contracts::user_memory::zero(address, VECTORS)
    }

    fn restore_extended(&self, address: usize) -> Result<(), Fault> {
        contracts::user_memory::copy_in(&mut [0; VECTORS], address)
    }

    fn hardware_capabilities(&self) -> [usize; 2] {
        [0; 2]
    }

    fn describe(&self, _: &mut dyn std::fmt::Write) -> std::fmt::Result {
        Ok(())
    }
}
