//! What each processor has of its own, found through GS.
//!
//! At ring 0 GS always points here; an application at ring 3 has a GS of its own, exchanged on entry and exit.
//! The block of the processor that boots is part of the image; those of the others are in their areas
//! ([`super::area`]).

use core::{arch::asm, cell::UnsafeCell, mem::offset_of};

use machine::ThreadResources;

use super::segments::Segments;
use crate::layout;

/// A processor's block. Reached by single instructions relative to GS, and by address only while it is set up.
#[repr(C)]
pub struct PerProcessor {
    /// The kernel's handle of the current thread.
    thread: u64,
    /// Top of its kernel stack, less 8: with a saved [`machine::Context`] on it the stack is aligned for a call.
    kernel_stack_top: u64,
    /// Holds the application's stack pointer for an instant on entry.
    scratch: u64,
    /// Holds the address that a call without a context goes on at.
    back: u64,
    /// Not zero when there is work to do before the application goes on: [`OUTSIDE`], [`OWN`] or both.
    pending: u64,
    /// Its number; the one that boots is 0.
    number: u64,
    /// When the kernel wants to be woken here, in nanoseconds of the monotonic clock, or [`NO_ALARM`].
    alarm: u64,
    /// Not zero when the timer will fire soon though there is no alarm.
    watching: u64,
    /// Where an application's page fault was that found a page present.
    last_fault: u64,
    /// How many such faults in a row were there, each at a page that permits the access.
    repeated_faults: u64,
    /// What the memory's side calls the address space that is active here; 0 for none.
    space: u64,
    /// What opens the current thread's resources, for the kernel.
    key: u64,
    /// Those.
    resources: u64,
    /// Tables of the processor itself.
    pub segments: Segments,
}

/// Offset of the scratch word, for entry code.
pub const SCRATCH: usize = offset_of!(PerProcessor, scratch);
/// Offset of the word that such a call uses.
pub const BACK: usize = offset_of!(PerProcessor, back);
/// Offset of the kernel stack's top.
pub const KERNEL_STACK_TOP: usize = offset_of!(PerProcessor, kernel_stack_top);
/// Offset of the pending mark.
pub const PENDING: usize = offset_of!(PerProcessor, pending);
/// Work that came from outside.
const OUTSIDE: u64 = 1;
/// Work that the kernel has given itself.
const OWN: u64 = 2;
/// No alarm.
pub const NO_ALARM: u64 = u64::MAX;
const THREAD: usize = offset_of!(PerProcessor, thread);
const NUMBER: usize = offset_of!(PerProcessor, number);
const ALARM: usize = offset_of!(PerProcessor, alarm);
const WATCHING: usize = offset_of!(PerProcessor, watching);
const LAST_FAULT: usize = offset_of!(PerProcessor, last_fault);
const REPEATED_FAULTS: usize = offset_of!(PerProcessor, repeated_faults);
const SPACE: usize = offset_of!(PerProcessor, space);
const KEY: usize = offset_of!(PerProcessor, key);
const RESOURCES: usize = offset_of!(PerProcessor, resources);

/// The block of the processor that boots.
struct Boot(UnsafeCell<PerProcessor>);

// SAFETY: only the boot processor uses it, in single instructions with interrupts off.
unsafe impl Sync for Boot {}

static BOOT: Boot = Boot(UnsafeCell::new(PerProcessor::new(0, 8)));

impl PerProcessor {
    /// That of processor `number`, whose kernel stack has this top.
    pub const fn new(number: usize, kernel_stack_top: usize) -> Self {
        Self {
            thread: 0,
            kernel_stack_top: kernel_stack_top as u64 - 8,
            scratch: 0,
            back: 0,
            pending: 0,
            number: number as u64,
            alarm: NO_ALARM,
            watching: 0,
            last_fault: 0,
            repeated_faults: 0,
            space: 0,
            key: 0,
            resources: 0,
            segments: Segments::EMPTY,
        }
    }
}

/// The block itself, for setting up.
pub fn boot_block() -> *mut PerProcessor {
    BOOT.0.get()
}

/// Fills the block in; GS points to it once segments are loaded.
pub fn prepare() {
    // SAFETY: boot: nobody uses the block yet.
    unsafe { (*boot_block()).kernel_stack_top = layout::boot_stack_top() as u64 - 8 };
}

macro_rules! field {
    ($offset:expr, $get:ident, $set:ident) => {
        #[inline(always)]
        fn $get() -> u64 {
            let value;
            // SAFETY: GS points to this processor's block whenever Rust code of the kernel runs.
            unsafe {
                asm!("mov {}, gs:[{}]", out(reg) value, const $offset, options(readonly, nostack, preserves_flags));
            }
            value
        }

        #[inline(always)]
        fn $set(value: u64) {
            // SAFETY: as above; the word is only reached this way.
            unsafe { asm!("mov gs:[{}], {}", const $offset, in(reg) value, options(nostack, preserves_flags)) };
        }
    };
}

field!(THREAD, get_thread, put_thread);
field!(KERNEL_STACK_TOP, get_stack, put_stack);
field!(PENDING, get_pending, put_pending);
field!(ALARM, get_alarm, put_alarm);
field!(WATCHING, get_watching, put_watching);
field!(LAST_FAULT, get_last_fault, put_last_fault);
field!(REPEATED_FAULTS, get_repeated_faults, put_repeated_faults);
field!(SPACE, get_space, put_space);
field!(KEY, get_key, put_key);
field!(RESOURCES, get_resources, put_resources);

/// When the kernel wants to be woken here, or [`NO_ALARM`].
pub fn alarm() -> u64 {
    get_alarm()
}

/// Sets that time.
pub fn set_alarm(deadline: u64) {
    put_alarm(deadline);
}

/// Whether the timer will fire soon though there is no alarm.
pub fn watching() -> bool {
    get_watching() != 0
}

/// Says so.
pub fn set_watching(watching: bool) {
    put_watching(u64::from(watching));
}

/// Where an application's page fault was that found a page present.
pub fn last_fault() -> u64 {
    get_last_fault()
}

/// Sets that place.
pub fn set_last_fault(place: u64) {
    put_last_fault(place);
}

/// How many such faults in a row were there, each at a page that permits the access.
pub fn repeated_faults() -> u64 {
    get_repeated_faults()
}

/// Sets that number.
pub fn set_repeated_faults(count: u64) {
    put_repeated_faults(count);
}

/// What [`set_space`] was given last.
pub fn space() -> usize {
    get_space() as usize
}

/// Notes the address space that is active here; the one that was.
pub fn set_space(space: usize) -> usize {
    let before = get_space();
    put_space(space as u64);
    before as usize
}

/// This processor's number.
#[inline(always)]
pub fn number() -> usize {
    let value: u64;
    // SAFETY: as in `field`; the word never changes.
    unsafe {
        asm!("mov {}, gs:[{}]", out(reg) value, const NUMBER, options(pure, readonly, nostack, preserves_flags));
    }
    value as usize
}

/// The kernel's handle of the current thread.
#[inline(always)]
pub fn thread() -> usize {
    get_thread() as usize
}

/// Its resources.
#[inline(always)]
pub fn resources() -> ThreadResources {
    ThreadResources { key: get_key() as usize, block: get_resources() as usize }
}

/// Sets the current thread.
pub fn set_thread(thread: usize, resources: ThreadResources, kernel_stack_top: usize) {
    put_thread(thread as u64);
    put_key(resources.key as u64);
    put_resources(resources.block as u64);
    put_stack(kernel_stack_top as u64 - 8);
}

/// Top of the current thread's kernel stack.
pub fn kernel_stack_top() -> usize {
    get_stack() as usize + 8
}

/// What there is to do before the application goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Something came from outside, or from another processor.
    Outside,
    /// Only what the kernel has given itself.
    Own,
}

/// Makes the kernel look at what came from outside before the application goes on. Also for interrupt handlers.
#[inline(never)]
pub fn mark_pending() {
    put_pending(OUTSIDE);
}

/// Makes the kernel look for its own work. Interrupts are off.
#[inline(never)]
pub fn mark_own_pending() {
    put_pending(get_pending() | OWN);
}

/// Whether there is something to do.
#[inline(always)]
pub fn is_pending() -> bool {
    get_pending() != 0
}

/// What there is to do, and takes the marks away. Interrupts are off.
pub fn take_pending() -> Option<Work> {
    let work = match get_pending() {
        0 => return None,
        OWN => Work::Own,
        _ => Work::Outside,
    };
    put_pending(0);
    Some(work)
}
