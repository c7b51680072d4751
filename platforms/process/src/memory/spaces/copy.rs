//! A new space: a copy of the process that the processor is in, by clone(2).
//!
//! The host copies what is private, which is the program's half. The new process has one thread, on a seat of its own.

use alloc::boxed::Box;
use core::sync::atomic::{AtomicBool, Ordering::SeqCst};

use machine::{MemoryRefused, PAGE_SIZE};
use sync::Mutex;

use super::{FIRST, OWN_STACK, Space, here, large, list};
use crate::{
    host::{HostError, memory, process, signal, thread},
    layout,
    memory::{stacks, translations::refused},
    per_cpu::{
        SIGNAL_STACK,
        seat::{self, Seat},
        smp,
    },
    watcher,
};

/// What a seat takes: the guard page below its signal stack, the signal stack, the seat itself in a page, and its own
/// stack.
const SEAT_PAGE: usize = PAGE_SIZE + SIGNAL_STACK;
const LENGTH: usize = SEAT_PAGE + PAGE_SIZE + OWN_STACK;

/// What the first function of a new host thread is told.
#[repr(C)]
struct Order {
    seat: Seat,
    /// Whether the program's half is to be emptied.
    empty: AtomicBool,
}

/// Copies the space that the processor is in; `empty`: but for what is a program's.
pub fn make(empty: bool) -> Result<&'static Space, MemoryRefused> {
    if core::ptr::eq(here(), &FIRST) {
        list::wait_for_quiet();
    }
    let space = match list::all().find(|space| space.begin_anew()) {
        Some(space) => space,
        None => new()?,
    };
    let made = begin(space, empty);
    if made.is_err() {
        space.fail();
    }
    made.map(|()| space).map_err(refused)
}

/// A record with one seat.
fn new() -> Result<&'static Space, MemoryRefused> {
    let space: &'static Space = Box::leak(Box::new(Space::new()));
    space.add(&order()?.seat);
    space.enlist();
    Ok(space)
}

/// Room for a seat whose host thread has not begun.
fn order() -> Result<&'static Order, MemoryRefused> {
    let start = stacks::room(LENGTH / PAGE_SIZE)?;
    // A stack that nothing guards is no reason to refuse.
    let _ = stacks::guard(start);
    let place = (start + SEAT_PAGE) as *mut Order;
    // SAFETY: the pages were just given to us, aligned and for ever.
    unsafe {
        place.write(Order { seat: Seat::new(), empty: AtomicBool::new(false) });
        Ok(&*place)
    }
}

fn begin(space: &'static Space, empty: bool) -> Result<(), HostError> {
    let seat = space.seats().last().ok_or(HostError::INVALID)?;
    // SAFETY: the last seat of a further space is the one that it was made with, in an order.
    let order = unsafe { &*core::ptr::from_ref(seat).cast::<Order>() };
    order.empty.store(empty, SeqCst);
    let is_in_first = core::ptr::eq(here(), &FIRST);
    let flags = if is_in_first { process::COPIED } else { process::COPIED_BESIDE };
    large::prepare(here());
    space.mappings.inherit(&here().mappings);
    space.inherit_copies(here());
    if empty {
        space.anchor.forget();
    } else {
        space.anchor.inherit(&here().anchor);
    }
    // It begins with our mask, and can take no signal before it has a signal stack.
    let blocked = signal::Blocked::new();
    // SAFETY: the stack is the seat's own.
    let number = unsafe { thread::start_with(flags, top(seat), first, order) }? as u32;
    drop(blocked);
    space.set_process(number);
    seat.belong(core::ptr::from_ref(space) as usize, number, number);
    watcher::has_one_more();
    Ok(())
}

/// One asks at a time.
static ASKING: Mutex<()> = Mutex::new(());

/// One more seat of a space, taken for this processor: processors are on all that it has. A host thread that sits on
/// one makes the new one, when it takes the call or waits for another processor.
#[cold]
pub fn another_seat(space: &'static Space) -> Option<&'static Seat> {
    let asked = space.seats().find(|seat| seat.thread() != 0)?;
    let seat = {
        let _asking = ASKING.lock();
        list::take_spare().or_else(|| order().ok().map(|order| &order.seat))?
    };
    seat.prepare(core::ptr::from_ref(space) as usize, asked.process(), top(seat));
    while !asked.want(seat) {
        sync::relax();
    }
    space.add(seat);
    Some(seat)
}

/// Where the own stack of a seat ends that lies in an order.
fn top(seat: &Seat) -> usize {
    core::ptr::from_ref(seat) as usize + PAGE_SIZE + OWN_STACK
}

/// The first function of a new process. It is no processor: it takes no lock, and changes nothing that is shared but on
/// its own stack.
extern "sysv64" fn first(order: &'static Order) -> ! {
    process::end_with_parent(FIRST.process());
    order.seat.last_word.wake(watcher::deaths());
    seat::begin(&order.seat);
    if smp::run() {
        // What the host keeps of the registration is not documented.
        let _ = thread::register_synchronize();
    }
    if order.empty.load(SeqCst) {
        // SAFETY: what is a program's is nothing of Rust's.
        let _ = unsafe { memory::unmap(&layout::user_range()) };
    }
    signal::unblock();
    order.seat.serve()
}
