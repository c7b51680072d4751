//! What threads share by leave of clone(2), whether they are of one process or of several: descriptors (CLONE_FILES)
//! and the place in the tree (CLONE_FS).
//!
//! Each thread has a pointer to a [`Place`] for either, and the place counts those that have it. Places live for ever
//! and serve others again, so that what is in one is locked without being counted.

use alloc::{boxed::Box, sync::Arc, vec::Vec};
use core::{
    iter, mem,
    sync::atomic::{AtomicU32, AtomicUsize, Ordering},
};

use sync::{Mutex, MutexGuard, Pointer};

use super::{
    Process, current_in_line, linux,
    table::{self, FIRST},
};
use crate::objects::{
    ability,
    descriptors::{locking::LOCKS, table::Table},
    tree::Location,
};

/// A value that threads share.
pub struct Place<T> {
    /// Threads that have it.
    users: AtomicU32,
    /// What it is as the holder of locks: the id of the process that it was made by, and behind that a number which
    /// nobody else of that process has.
    holder: AtomicUsize,
    value: Mutex<T>,
}

/// Places that nobody has.
pub struct Spare<T: 'static>(Mutex<Vec<&'static Place<T>>>);

/// What may be in a place.
pub trait Value: Clone + Send + 'static {
    /// What is left there when nobody has it.
    fn rest() -> Self;
    /// Places that nobody has.
    fn spare() -> &'static Spare<Self>;
}

static SPARE_FILES: Spare<Table> = Spare(Mutex::new(Vec::new()));
static SPARE_LOCATIONS: Spare<Location> = Spare(Mutex::new(Vec::new()));

impl Value for Table {
    fn rest() -> Self {
        Self::new()
    }

    fn spare() -> &'static Spare<Self> {
        &SPARE_FILES
    }
}

impl Value for Location {
    fn rest() -> Self {
        Self::top()
    }

    fn spare() -> &'static Spare<Self> {
        &SPARE_LOCATIONS
    }
}

/// No descriptors: what a thread has that ends.
static NONE: Place<Table> = Place::new(Table::new(), 1, 0);

/// Holders so far.
static HOLDERS: AtomicU32 = AtomicU32::new(0);
/// Where the number of a holder is among its bits, behind the process' id.
const NUMBER: u32 = 32;

/// A number that nobody else has, for what this process holds by a table.
fn holder(process: u32) -> usize {
    (HOLDERS.fetch_add(1, Ordering::Relaxed) as usize) << NUMBER | process as usize
}

/// The process that made the table which holds a lock.
pub const fn process_of(holder: usize) -> u32 {
    holder as u32
}

impl<T> Place<T> {
    const fn new(value: T, users: u32, holder: usize) -> Self {
        Self { users: AtomicU32::new(users), holder: AtomicUsize::new(holder), value: Mutex::new(value) }
    }

    /// The value's lock.
    #[inline(always)]
    pub const fn value(&self) -> &Mutex<T> {
        &self.value
    }

    /// What it is as the holder of locks.
    pub fn holder(&self) -> usize {
        self.holder.load(Ordering::Relaxed)
    }
}

impl<T: Value> Place<T> {
    /// A place with this value, which one thread of that process has.
    fn with(value: T, process: u32) -> &'static Self {
        let spare = T::spare().0.lock().pop();
        let Some(place) = spare else { return Box::leak(Box::new(Self::new(value, 1, holder(process)))) };
        place.users.store(1, Ordering::Relaxed);
        place.holder.store(holder(process), Ordering::Relaxed);
        let old = mem::replace(&mut *place.value.lock(), value);
        drop(old);
        place
    }

    /// One thread less has it; the value if nobody does.
    fn give_up(&'static self) -> Option<T> {
        if self.users.fetch_sub(1, Ordering::AcqRel) > 1 {
            return None;
        }
        let rest = T::rest();
        let value = mem::replace(&mut *self.value.lock(), rest);
        T::spare().0.lock().push(self);
        Some(value)
    }
}

/// A thread's part in a place.
pub struct Part<T: Value>(Pointer<Place<T>>);

/// Descriptors and a place in the tree.
pub type Parts = (Part<Table>, Part<Location>);

impl<T: Value> Part<T> {
    /// In a new place of the first process'.
    #[must_use]
    pub fn first(value: T) -> Self {
        Self(Pointer::new(Box::leak(Box::new(Place::new(value, 1, FIRST as usize)))))
    }

    /// For a thread that this one makes: in the same place if it `shares` that, else in one of that process' with the
    /// same value.
    #[must_use]
    #[inline(always)]
    pub fn next(&self, shares: bool, process: u32) -> Self {
        if shares || !ability::apart() { self.another() } else { self.copy(process) }
    }

    #[inline(always)]
    fn another(&self) -> Self {
        let place = self.at();
        place.users.fetch_add(1, Ordering::Relaxed);
        Self(Pointer::new(place))
    }

    #[inline(never)]
    fn copy(&self, process: u32) -> Self {
        let value = self.at().value.lock().clone();
        Self(Pointer::new(Place::with(value, process)))
    }

    /// The place.
    #[inline(always)]
    pub fn at(&self) -> &'static Place<T> {
        self.0.get()
    }

    /// The value, locked, of a thread that is not the running one: it may leave the place meanwhile, which then may
    /// serve others.
    pub fn lock(&self) -> MutexGuard<'static, T> {
        loop {
            let place = self.at();
            let value = place.value.lock();
            // Who leaves changes the pointer first, and takes the value out of the place under the lock.
            if core::ptr::eq(place, self.at()) {
                return value;
            }
        }
    }

    /// The thread, the running one, has a place for itself from now on. What it gives up is a copy.
    fn unshare(&self) -> Option<T> {
        let place = self.at();
        if place.users.load(Ordering::Acquire) == 1 {
            return None;
        }
        let value = place.value.lock().clone();
        self.0.replace(Place::with(value, super::process().id)).give_up()
    }
}

impl<T: Value> Drop for Part<T> {
    fn drop(&mut self) {
        if ability::apart() {
            drop(self.at().give_up());
        }
    }
}

/// The running thread, which ends, needs descriptors no more: those that nobody else has, to be closed. Where all share
/// one table the machine ends with its last user.
#[must_use]
pub fn leave_files() -> Option<Table> {
    if !ability::apart() {
        return None;
    }
    let this = current_in_line();
    NONE.users.fetch_add(1, Ordering::Relaxed);
    let place = this.files.0.replace(&NONE);
    let holder = place.holder();
    let table = place.give_up()?;
    forget_locks(holder);
    Some(table)
}

/// Locks of a table that is gone.
fn forget_locks(holder: usize) {
    if ability::lock_files() && !LOCKS.is_empty() {
        LOCKS.release(holder, None);
    }
}

/// The running thread gets descriptors of its own, if others have the same.
pub fn unshare_files() {
    let this = current_in_line();
    let holder = this.files.at().holder();
    // Closed by nobody: the copy has them all.
    if let Some(table) = this.files.unshare() {
        forget_locks(holder);
        drop(table);
    }
}

/// The same for the place in the tree.
pub fn unshare_location() {
    drop(current_in_line().location.unshare());
}

/// Whether another process has the running thread's place in the tree, too.
#[must_use]
pub fn has_others_location() -> bool {
    let mine = current_in_line().location.at();
    let processes = iter::successors(table::next(0), |id| table::next(id + 1)).filter_map(table::find);
    let has_mine = |process: Arc<Process>| {
        process.threads.lock().iter().any(|thread| core::ptr::eq(linux(thread).location.at(), mine))
    };
    ability::apart() && processes.filter(|other| other.id != super::process().id).any(has_mine)
}

/// No descriptors, for who asks for those of a process that has ended.
pub fn no_files() -> MutexGuard<'static, Table> {
    NONE.value.lock()
}
