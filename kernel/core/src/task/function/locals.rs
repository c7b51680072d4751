//! Values of which each thread has its own.

use alloc::{boxed::Box, vec::Vec};
use core::{
    cell::UnsafeCell,
    fmt, ptr,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use super::slot;

/// The thread is ending, and has dropped its value already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone;

/// A value of which each thread has its own: made when the thread first asks, dropped when it ends.
pub struct Local<T: 'static> {
    make: fn() -> T,
    /// Its place in each thread's row, counted from 1; 0 as long as no thread has asked.
    index: AtomicUsize,
}

/// Places that were given out.
static PLACES: AtomicUsize = AtomicUsize::new(0);

impl<T: 'static> Local<T> {
    /// Whose values `make` makes.
    #[must_use]
    pub const fn new(make: fn() -> T) -> Self {
        Self { make, index: AtomicUsize::new(0) }
    }

    fn index(&self) -> usize {
        let index = self.index.load(Relaxed);
        if index != 0 {
            return index - 1;
        }
        let index = PLACES.load(Relaxed);
        PLACES.store(index + 1, Relaxed);
        self.index.store(index + 1, Relaxed);
        index
    }

    /// Calls `work` with the running thread's value, which is `given` or made if there is none yet.
    ///
    /// # Errors
    /// [`Gone`]: the thread is ending.
    pub fn with<R>(&'static self, given: Option<T>, work: impl FnOnce(&T, Option<T>) -> R) -> Result<R, Gone> {
        let locals = &slot::running().locals;
        let index = self.index();
        let (value, given) = match locals.get(index) {
            State::Here(value) => (value.cast::<T>(), given),
            State::Gone => return Err(Gone),
            State::Nothing => {
                let value = Box::new(given.unwrap_or_else(self.make));
                (locals.place(index, value), None)
            }
        };
        // SAFETY: the value lives until its thread ends, and only this key's places hold it, so it is a `T`.
        Ok(work(unsafe { &*value }, given))
    }
}

impl<T> fmt::Debug for Local<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Local").finish_non_exhaustive()
    }
}

/// # Safety
/// `value` came from `Box::into_raw` for a `T`, and nobody uses it any more.
unsafe fn drop_value<T>(value: *mut ()) {
    // SAFETY: the caller's promise.
    drop(unsafe { Box::from_raw(value.cast::<T>()) });
}

enum State {
    Nothing,
    Here(*mut ()),
    Gone,
}

#[derive(Clone, Copy)]
struct Entry {
    /// Null: nothing is here.
    value: *mut (),
    drop: unsafe fn(*mut ()),
    /// The value that was here has been dropped.
    gone: bool,
}

const NOTHING: Entry = Entry { value: ptr::null_mut(), drop: |_| (), gone: false };

/// A thread's row.
pub(super) struct Locals {
    entries: UnsafeCell<Vec<Entry>>,
}

impl Locals {
    pub(super) const fn new() -> Self {
        Self { entries: UnsafeCell::new(Vec::new()) }
    }

    /// The row itself. No reference to it outlives one of the calls below, and none of them runs foreign code
    /// meanwhile.
    #[expect(clippy::mut_from_ref, reason = "only its own thread has it")]
    #[inline]
    fn entries(&self) -> &mut Vec<Entry> {
        // SAFETY: as said above.
        unsafe { &mut *self.entries.get() }
    }

    fn get(&self, index: usize) -> State {
        match self.entries().get(index) {
            Some(entry) if !entry.value.is_null() => State::Here(entry.value),
            Some(entry) if entry.gone => State::Gone,
            _ => State::Nothing,
        }
    }

    /// Puts a value into its place. Making it may have put one there meanwhile, which then stays.
    fn place<T>(&self, index: usize, value: Box<T>) -> *mut T {
        if let State::Here(earlier) = self.get(index) {
            return earlier.cast();
        }
        let value = Box::into_raw(value);
        self.put(index, Entry { value: value.cast(), drop: drop_value::<T>, gone: false });
        value
    }

    fn put(&self, index: usize, entry: Entry) {
        let entries = self.entries();
        if entries.len() <= index {
            entries.resize(index + 1, NOTHING);
        }
        entries[index] = entry;
    }

    /// Drops all values. What a value's end makes anew is dropped too; one that was dropped does not come back.
    #[inline(always)]
    pub(super) fn end(&self) {
        if !self.entries().is_empty() {
            self.drop_all();
        }
    }

    #[cold]
    fn drop_all(&self) {
        while let Some(index) = self.entries().iter().position(|entry| !entry.value.is_null()) {
            let entry = self.entries()[index];
            self.entries()[index] = Entry { gone: true, ..NOTHING };
            // SAFETY: it was taken out of the row, so this is the only one to drop it.
            unsafe { (entry.drop)(entry.value) };
        }
        *self.entries() = Vec::new();
    }
}
