//! A thread, and finding the one that runs.
//!
//! Unsafe: the processor keeps a bare word per thread, the scheduler a bare cell, and the layer above a block of its
//! own type; all come back as references here and nowhere else.
#![allow(unsafe_code)]

use alloc::{boxed::Box, sync::Arc, vec::Vec};
use core::{
    cell::UnsafeCell,
    marker::PhantomData,
    mem::{ManuallyDrop, offset_of},
    ptr::{self, NonNull},
    sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering},
};

use machine::ThreadResources;
use sched::{Entity, EntityRef};

use super::{
    account::{self, Account},
    kernel_stack::{self, KernelStack, Line},
    space::OwnSpace,
};
use crate::{
    memory::AddressSpace,
    timer::{Expire, Timer},
};

/// A thread of an application, or one of the kernel's.
///
/// What a thread owns beyond this depends on the layer above (descriptors, signals): its *resources*, a block of a
/// type that only that layer knows.
pub struct Thread {
    /// The scheduler's.
    entity: Entity,
    /// What [`super::park`] and [`super::unpark`] tell each other.
    pub(super) permit: AtomicU8,
    /// Whether a processor is on its stack: set before it is entered, cleared when it has been left for good.
    pub(super) on_stack: AtomicBool,
    /// Whether it has ended and is to be forgotten when its stack has been left.
    pub(super) ended: AtomicBool,
    /// For how many reasons it may not sleep where it is ([`super::sleep`]). Its own alone.
    pub(super) awake: AtomicU32,
    /// Where its kernel stack was left.
    pub(super) stack_pointer: AtomicUsize,
    /// Top of its kernel stack.
    pub(super) stack_top: usize,
    /// What it does first.
    pub(super) start: fn() -> !,
    /// What the application has in registers that the kernel does not use.
    pub(super) registers: Registers,
    pub(super) form: &'static Form,
    pub(super) space: OwnSpace,
    resources: Resources,
    interrupted: AtomicBool,
    pub(super) account: Account,
    /// When it wakes by itself.
    alarm: Timer,
}

/// What becomes of a thread depends on who made it: an image whose threads are functions has no address spaces and no
/// stacks of the kernel's, so it must not have the code that lets go of them.
pub(super) struct Form {
    /// Gives up the ownership that a thread has of itself, when it has ended and its stack has been left.
    pub(super) let_go: unsafe fn(&Thread),
    /// Waits for an interrupt.
    pub(super) idle: fn(),
    /// Takes in what came meanwhile.
    pub(super) take_in: fn(),
    /// Frees its stack and drops its address space.
    pub(super) dismantle: unsafe fn(&mut Thread),
}

impl Form {
    /// In an address space, or one of the kernel's own; on a stack of `kernel_memory`'s.
    pub(super) const IN_SPACE: Self = Self {
        // SAFETY: `leak` left this owner to the running thread.
        let_go: |thread| drop(unsafe { Arc::from_raw(core::ptr::from_ref(thread)) }),
        idle: || account::pause(contracts::processor::idle),
        take_in: super::work,
        dismantle: |thread| {
            // SAFETY: the thread is being dropped.
            unsafe { thread.space.give_up() };
            if thread.stack_top != contracts::processor::boot_stack_top() {
                let vectors = core::mem::take(thread.registers.vectors.get_mut());
                KernelStack { top: thread.stack_top, vectors }.put_by();
            }
        },
    };
}

// SAFETY: the block is `Send` and `Sync` (`Resources::new`); what is in `registers` is touched only by the processor
// that runs the thread, or before it runs.
unsafe impl Send for Thread {}
// SAFETY: as above.
unsafe impl Sync for Thread {}

/// A key to the resources of threads, of type `T`: one static of the layer above. That a thread's block is a `T` is
/// known by the key it was made with, whose address no other key has; so a look costs one compare.
#[derive(Debug)]
pub struct Key<T> {
    /// Whether a thread was made with it. Interior mutability also keeps the compiler from laying two keys together.
    used: AtomicBool,
    resources: PhantomData<fn() -> T>,
}

impl<T> Key<T> {
    /// A new key.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "a key is made to be a static")]
    pub const fn new() -> Self {
        Self { used: AtomicBool::new(false), resources: PhantomData }
    }
}

/// The block of the layer above, the key that opens it, and how it is dropped.
pub struct Resources {
    block: *mut (),
    key: *const AtomicBool,
    drop: unsafe fn(*mut ()),
}

impl Resources {
    /// A block that `key` opens.
    pub fn new<T: Send + Sync + 'static>(key: &'static Key<T>, resources: T) -> Self {
        key.used.store(true, Ordering::Relaxed);
        /// # Safety
        /// `block` came from `Box::into_raw` for this type, and nobody uses it any more.
        unsafe fn drop_block<T>(block: *mut ()) {
            // SAFETY: the caller's promise.
            drop(unsafe { Box::from_raw(block.cast::<T>()) });
        }
        Self { block: Box::into_raw(Box::new(resources)).cast(), key: &raw const key.used, drop: drop_block::<T> }
    }

    /// For a thread of the kernel itself, which has none.
    pub(super) const fn none() -> Self {
        /// # Safety
        /// Does nothing.
        unsafe fn nothing(_: *mut ()) {}
        Self { block: core::ptr::null_mut(), key: core::ptr::null(), drop: nothing }
    }
}

impl Drop for Resources {
    fn drop(&mut self) {
        // SAFETY: `drop` fits the block, and this is its only owner.
        unsafe { (self.drop)(self.block) };
    }
}

/// The application's registers that stay where they are while the kernel works, and that another thread would
/// overwrite.
pub(super) struct Registers {
    pub(super) thread_pointer: AtomicUsize,
    /// Where the vector registers go; empty for a thread that has none, or that is alone.
    vectors: UnsafeCell<Vec<Line>>,
}

impl Registers {
    /// For a thread of the kernel, or the first one of all as long as it is alone.
    pub(super) const fn none() -> Self {
        Self { thread_pointer: AtomicUsize::new(0), vectors: UnsafeCell::new(Vec::new()) }
    }

    /// Whether there is anything to save.
    pub(super) fn exist(&self) -> bool {
        // SAFETY: changed by its own thread only.
        !unsafe { &*self.vectors.get() }.is_empty()
    }

    /// Gives them room, once; empty: new room.
    ///
    /// # Safety
    /// The calling thread's own, or those of a thread that does not run yet.
    #[inline]
    pub(super) unsafe fn give_room(&self, room: Vec<Line>) {
        let room = if room.is_empty() { kernel_stack::room() } else { room };
        // SAFETY: the caller's promise.
        unsafe { *self.vectors.get() = room };
    }

    /// Saves the live vector registers.
    ///
    /// # Safety
    /// As [`Registers::give_room`].
    pub(super) unsafe fn store_vectors(&self) {
        // SAFETY: the caller's promise; lines are bytes without gaps.
        let bytes = unsafe {
            let vectors = &mut *self.vectors.get();
            core::slice::from_raw_parts_mut(vectors.as_mut_ptr().cast(), size_of_val(vectors.as_slice()))
        };
        instruction_set::vector::store(bytes);
    }

    /// Loads them again.
    ///
    /// # Safety
    /// As [`Registers::give_room`].
    pub(super) unsafe fn load_vectors(&self) {
        // SAFETY: as above.
        let bytes = unsafe {
            let vectors = &*self.vectors.get();
            core::slice::from_raw_parts(vectors.as_ptr().cast(), size_of_val(vectors.as_slice()))
        };
        instruction_set::vector::load(bytes);
    }
}

impl Thread {
    /// A thread that has not started.
    pub(super) fn new(
        stack_top: usize,
        stack_pointer: usize,
        start: fn() -> !,
        (form, space): (&'static Form, Option<Arc<AddressSpace>>),
        resources: Resources,
    ) -> Arc<Self> {
        Arc::new(Self {
            entity: Entity::new(),
            permit: AtomicU8::new(super::park::RUNNING),
            on_stack: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            awake: AtomicU32::new(0),
            stack_pointer: AtomicUsize::new(stack_pointer),
            stack_top,
            start,
            registers: Registers::none(),
            form,
            space: OwnSpace::new(space),
            resources,
            interrupted: AtomicBool::new(false),
            account: Account::default(),
            alarm: Timer::new(),
        })
    }

    /// The address space it runs in, asked by the thread itself. Panics for a thread of an image that has none.
    #[inline(always)]
    pub(crate) fn space(&self) -> &AddressSpace {
        match self.space.get() {
            Some(space) => space,
            None => nowhere(),
        }
    }

    /// Has this processor translate by its address space. One without leaves the active one as it is.
    #[inline(always)]
    pub(super) fn enter_space(&self) {
        if contracts::config::config().processes
            && let Some(space) = self.space.get()
        {
            space.activate();
        }
    }

    /// Gives its address space up while it still runs, if nobody else knows it any more: nobody can ask it for the
    /// space then. It has ended, and only leaves.
    pub(super) fn give_up_space_early(&self) {
        // SAFETY: `leak` left this owner to the running thread, and it stays.
        let this = ManuallyDrop::new(unsafe { Arc::from_raw(ptr::from_ref(self)) });
        if Arc::strong_count(&this) == 1 {
            // SAFETY: the only owner is the thread, which has nothing to do in its space any more.
            unsafe { self.space.give_up() };
        }
    }

    /// The block that the layer above gave this thread. Panics with another key: an image has one such layer.
    #[inline(always)]
    pub fn resources<T: Send + Sync + 'static>(&self, key: &'static Key<T>) -> &T {
        if !core::ptr::eq(self.resources.key, &raw const key.used) {
            wrong_key();
        }
        // SAFETY: `Resources::new` was given this very key, so the block is a `T`; it goes with the thread.
        unsafe { &*self.resources.block.cast::<T>() }
    }

    /// Says whether something (a signal that will be delivered) should end this thread's waits.
    pub fn set_interrupted(&self, interrupted: bool) {
        self.interrupted.store(interrupted, Ordering::SeqCst);
    }

    /// What [`Thread::set_interrupted`] said last.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::SeqCst)
    }

    /// The scheduler's cell.
    pub fn entity(&self) -> EntityRef {
        let cell = NonNull::from(self).cast::<u8>();
        // SAFETY: a thread lives and stays in its place at least until its stack has been left after its end, and the
        // scheduler forgets it at its end. The pointer is made from one to all of the thread.
        unsafe { EntityRef::new(cell.add(offset_of!(Self, entity)).cast()) }
    }

    /// The thread whose cell this is.
    pub(super) fn of(entity: EntityRef) -> &'static Self {
        let cell = entity.pointer().cast::<u8>();
        // SAFETY: the scheduler knows cells of threads only, from `entity`; they live as said there.
        unsafe { cell.sub(offset_of!(Self, entity)).cast::<Self>().as_ref() }
    }

    /// A thread that owns itself from now on: until it has ended and its stack has been left.
    pub(super) fn leak(thread: Arc<Self>) -> &'static Self {
        // SAFETY: the owner that is given up here keeps it.
        unsafe { &*Arc::into_raw(thread) }
    }
}

/// A thread that sleeps until a moment.
impl Expire for Thread {
    fn timer(&self) -> &Timer {
        &self.alarm
    }

    fn expire(self: Arc<Self>) {
        super::unpark(&self);
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        // SAFETY: once, at its end.
        unsafe { (self.form.dismantle)(self) };
    }
}

/// Makes `thread` the one that runs on this processor.
pub(super) fn set_current(thread: &Thread) {
    let Resources { key, block, .. } = thread.resources;
    let resources = ThreadResources { key: key.expose_provenance(), block: block.expose_provenance() };
    contracts::processor::set_thread(core::ptr::from_ref(thread) as usize, resources, thread.stack_top);
}

/// The thread that runs on this processor, if one has been started.
#[inline(always)]
pub fn try_current() -> Option<&'static Thread> {
    let handle = contracts::processor::thread();
    // SAFETY: the handle is 0 or a thread's that runs here, so whoever asks is that thread, which lives while it runs.
    unsafe { (handle as *const Thread).as_ref() }
}

/// The thread that runs on this processor. Panics before the first one is started.
#[inline(always)]
pub fn current() -> &'static Thread {
    match try_current() {
        Some(thread) => thread,
        None => nobody(),
    }
}

/// What the layer above gave the thread that runs on this processor: as [`Thread::resources`] of [`current`], in fewer
/// instructions. Panics before the first one is started, too.
#[inline(always)]
pub fn current_resources<T: Send + Sync + 'static>(key: &'static Key<T>) -> &'static T {
    let ThreadResources { key: given, block } = contracts::processor::resources();
    if given != (&raw const key.used).addr() {
        wrong_key();
    }
    // SAFETY: these are the running thread's ([`set_current`]), and `Resources::new` was given this very key, so the
    // block is a `T`. Whoever asks is that thread, and the block goes with it.
    unsafe { &*core::ptr::with_exposed_provenance::<T>(block) }
}

impl Thread {
    /// One more owner of this thread.
    #[must_use]
    pub fn handle(&self) -> Arc<Self> {
        let pointer = core::ptr::from_ref(self);
        // SAFETY: every thread is made in an `Arc`.
        unsafe {
            Arc::increment_strong_count(pointer);
            Arc::from_raw(pointer)
        }
    }

    /// Gives up the ownership that a running thread has of itself.
    ///
    /// # Safety
    /// It has ended, its stack has been left, and this is called once.
    pub(super) unsafe fn let_go(&self) {
        // SAFETY: the caller's promise.
        unsafe { (self.form.let_go)(self) };
    }
}

// Panics stand behind calls without arguments, because threads are asked for everywhere.
#[cold]
#[inline(never)]
fn nobody() -> ! {
    panic!("no thread runs yet")
}

#[cold]
#[inline(never)]
fn nowhere() -> ! {
    panic!("this thread has no address space")
}

#[cold]
#[inline(never)]
fn wrong_key() -> ! {
    panic!("a thread's resources have one key")
}
