//! Address spaces: each is a process of the host's, of which the first one is where the machine began.
//!
//! The program's half differs, and the kernel's memory is the same in all: it is shared from the moment on at which a
//! second one is wanted ([`share`]). A machine that never wants one has nothing of it. What is done to a space is done
//! by a host thread in it: the processor goes there, and comes back ([`visit`]).

mod copy;
mod large;
mod list;
mod share;
mod text;

use core::sync::atomic::{
    AtomicBool,
    Ordering::{Relaxed, SeqCst},
};

use machine::{MemoryRefused, PAGE_SIZE, SpaceHandle};
use sync::Mutex;

pub use large::are_large;
pub use list::{FIRST, OwnFile, Space};

use super::{report, stacks, translations::detach};
use crate::{
    host::{HostError, thread},
    layout,
    per_cpu::{
        self,
        seat::{self, Seat, several},
    },
};

/// Emptied processes that are kept for the next space that begins empty.
const MOST_KEPT: usize = 4;

/// Whether the first space is somebody's.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// One at a time makes spaces, gives them up, or goes through all of them.
static MAKING: Mutex<()> = Mutex::new(());

/// The space that the running processor is in.
#[inline(always)]
pub fn here() -> &'static Space {
    if !seat::moves() {
        return &FIRST;
    }
    // SAFETY: the words of seats are addresses of spaces, which live for ever.
    unsafe { &*(per_cpu::current().seat().space() as *const Space) }
}

/// The space that a handle names.
fn of(handle: &SpaceHandle) -> &'static Space {
    // SAFETY: a handle's word is the address of a space, which lives for ever.
    unsafe { &*(handle.word() as *const Space) }
}

/// The way back from another space, if the processor went to one.
pub struct Visit(Option<&'static Seat>);

impl Drop for Visit {
    #[inline(always)]
    fn drop(&mut self) {
        if several()
            && let Some(seat) = self.0
        {
            seat::go(seat, false);
        }
    }
}

/// Has the processor be in `space` until the answer is dropped. What is live in the processor's registers of a
/// program's stays behind, and is there again afterwards.
#[inline(always)]
pub fn visit(space: &SpaceHandle) -> Visit {
    if seat::moves() { visit_space(of(space)) } else { Visit(None) }
}

fn visit_space(space: &'static Space) -> Visit {
    if core::ptr::eq(here(), space) {
        return Visit(None);
    }
    let back = per_cpu::current().seat();
    seat::go(take_seat(space), true);
    Visit(Some(back))
}

/// Runs `work` in each space that somebody has.
pub fn visit_each(work: &mut dyn FnMut()) {
    if !seat::moves() {
        return work();
    }
    // None of them is given up meanwhile.
    let _making = MAKING.lock();
    for space in list::all().filter(|space| space.lives()) {
        let _there = visit_space(space);
        work();
    }
}

/// Shows `look` a file of `/proc/self` of each space that somebody has; `open` opens one, in its process.
pub fn each(which: OwnFile, open: &dyn Fn() -> Option<i32>, look: &mut dyn FnMut(i32)) {
    if !seat::moves() {
        return FIRST.file(which, open).into_iter().for_each(look);
    }
    let _making = MAKING.lock();
    for space in list::all().filter(|space| space.lives()) {
        let file = space.opened(which).or_else(|| {
            let _there = visit_space(space);
            space.file(which, open)
        });
        file.into_iter().for_each(&mut *look);
    }
}

/// Bytes of the kernel's memory that processes share.
pub fn shared() -> usize {
    if seat::moves() { share::in_use() } else { 0 }
}

/// See [`machine::Translations::activate`].
#[inline(always)]
pub fn activate(space: &SpaceHandle) {
    if seat::moves() {
        let space = of(space);
        if !core::ptr::eq(here(), space) {
            seat::go(take_seat(space), false);
        }
    }
}

/// See [`machine::Translations::make`].
pub fn make() -> Result<SpaceHandle, MemoryRefused> {
    if !several() {
        return if TAKEN.swap(true, Relaxed) { Err(MemoryRefused::NoSpace) } else { Ok(SpaceHandle::from_word(0)) };
    }
    if !TAKEN.swap(true, SeqCst) {
        return Ok(handle(&FIRST));
    }
    make_further(|| copy::make(true))
}

/// See [`machine::Translations::make_copy`].
pub fn make_copy(from: &SpaceHandle) -> Result<SpaceHandle, MemoryRefused> {
    if !several() {
        return Err(MemoryRefused::NoSpace);
    }
    if !report::may_copy() {
        return Err(MemoryRefused::OutOfMemory);
    }
    let _making = MAKING.lock();
    share::once()?;
    let _there = visit(from);
    copy::make(false).map(handle)
}

#[cold]
fn make_further(make: impl FnOnce() -> Result<&'static Space, MemoryRefused>) -> Result<SpaceHandle, MemoryRefused> {
    let _making = MAKING.lock();
    share::once()?;
    if let Some(kept) = list::all().find(|space| space.reuse()) {
        return Ok(handle(kept));
    }
    make().map(handle)
}

fn handle(space: &'static Space) -> SpaceHandle {
    SpaceHandle::from_word(core::ptr::from_ref(space) as usize)
}

/// See [`machine::Translations::give_up`].
pub fn give_up(space: SpaceHandle) {
    if !several() {
        empty(&FIRST);
        return TAKEN.store(false, Relaxed);
    }
    let space = of(&space);
    let _making = MAKING.lock();
    let is_first = core::ptr::eq(space, &FIRST);
    if !is_first && list::kept().count() >= MOST_KEPT {
        if !space.is_taken() {
            return space.end();
        }
        let seat = per_cpu::current().seat();
        if core::ptr::eq(space, here()) && space.seats().all(|other| core::ptr::eq(other, seat) || !other.is_taken()) {
            space.end_when_left(seat);
            return;
        }
    }
    {
        let _there = seat::moves().then(|| visit_space(space));
        empty(space);
    }
    if is_first {
        TAKEN.store(false, SeqCst);
    } else {
        space.keep();
        end_some();
    }
}

/// Takes away all that is a program's in `space`, where the processor is.
fn empty(space: &Space) {
    detach(layout::user_range());
    space.anchor.forget();
}

/// Ends processes of which too many are kept. A processor that has nothing to do is still where it was last, which may
/// be in one of them.
fn end_some() {
    let excess = list::kept().count().saturating_sub(MOST_KEPT);
    list::kept().filter(|space| !space.is_taken()).take(excess).for_each(Space::end);
}

/// A new processor is to begin in the space that this one is in, on `seat`.
pub fn begin_on(seat: &'static Seat) -> Result<(), HostError> {
    if !seat::moves() {
        return Ok(());
    }
    let (space, process) = (here(), per_cpu::current().host().0);
    settle(seat, space, (process, 0)).map_err(|_| HostError::NO_MEMORY)
}

/// A seat of `space` for this processor: a free one, or a new one.
fn take_seat(space: &'static Space) -> &'static Seat {
    loop {
        if let Some(seat) = space.free_seat().or_else(|| copy::another_seat(space)) {
            return seat;
        }
        sync::relax();
    }
}

/// Bytes of a stack on which a seat waits.
const OWN_STACK: usize = 4 * PAGE_SIZE;

/// Makes a seat on which a processor is already one of `space`.
fn settle(seat: &'static Seat, space: &'static Space, host: (u32, u32)) -> Result<(), MemoryRefused> {
    let stack = contracts::kernel_memory::allocate(OWN_STACK / PAGE_SIZE)?;
    // SAFETY: the stack was just given to us.
    unsafe { seat.settle(core::ptr::from_ref(space) as usize, host, stack + OWN_STACK) };
    space.add(seat);
    Ok(())
}

/// So many pages, of which the first one is to be guarded.
pub fn room(pages: usize) -> Result<usize, MemoryRefused> {
    stacks::room(pages)
}

/// Puts a page that must not be touched below a stack of the kernel's.
pub fn guard(page: usize) -> Result<(), HostError> {
    stacks::guard(page)
}

/// The host's number of the first process; before there is a second one, that of the calling thread, which is the
/// first.
fn first_process() -> u32 {
    if per_cpu::smp::run() { per_cpu::current().host().0 } else { thread::own() }
}
