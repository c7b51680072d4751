//! What a thread has for itself of what all threads of a process share as a rule: descriptors (CLONE_FILES) and the
//! place in the tree (CLONE_FS).
//!
//! Few threads do. So a thread keeps a number for each, which is 0 for what its process has, and a copy of its own is
//! at that number here. The copies' places stay and serve others again, so that one can be locked without being
//! counted.

use alloc::{boxed::Box, vec::Vec};
use core::{
    mem,
    sync::atomic::{AtomicU32, Ordering},
};

use sync::Mutex;

use super::{LinuxThread, current_in_line};
use crate::objects::{
    ability,
    descriptors::{locking, table::Table},
    tree::Location,
};

/// Copies by number.
pub struct Apart<T: 'static>(Mutex<Vec<&'static Place<T>>>);

struct Place<T> {
    /// Threads that have this number; changes under the lock of all places.
    users: AtomicU32,
    value: Mutex<T>,
}

/// Descriptors.
pub static FILES: Apart<Table> = Apart::new();
/// Places in the tree.
pub static LOCATIONS: Apart<Location> = Apart::new();

/// The two numbers of a thread.
#[derive(Debug, Default)]
pub struct Own {
    /// Among [`FILES`].
    pub files: AtomicU32,
    /// Among [`LOCATIONS`].
    pub location: AtomicU32,
}

impl<T: 'static> Apart<T> {
    const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// What is at a number that is in use.
    #[cold]
    pub fn at(&self, number: u32) -> &'static Mutex<T> {
        &self.0.lock()[number as usize - 1].value
    }

    /// Puts a copy somewhere; its number.
    fn put(&self, value: T) -> u32 {
        let mut places = self.0.lock();
        let free = places.iter().position(|place| place.users.load(Ordering::Relaxed) == 0);
        if let Some(index) = free {
            places[index].users.store(1, Ordering::Relaxed);
            let old = mem::replace(&mut *places[index].value.lock(), value);
            drop(places);
            drop(old);
            return index as u32 + 1;
        }
        places.push(Box::leak(Box::new(Place { users: AtomicU32::new(1), value: Mutex::new(value) })));
        places.len() as u32
    }

    /// One more thread has this number.
    fn share(&self, number: u32) -> u32 {
        if number != 0 {
            self.0.lock()[number as usize - 1].users.fetch_add(1, Ordering::Relaxed);
        }
        number
    }

    /// How many threads have it.
    fn users(&self, number: u32) -> u32 {
        self.0.lock()[number as usize - 1].users.load(Ordering::Relaxed)
    }

    /// One thread less has it; the copy if nobody does, in the place of which `rest` is left.
    fn give_up(&self, number: u32, rest: impl FnOnce() -> T) -> Option<T> {
        let places = self.0.lock();
        let place = places[number as usize - 1];
        if place.users.load(Ordering::Relaxed) > 1 {
            place.users.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        drop(places);
        // Not taken by anybody else while it is emptied: it counts as used until then.
        let value = mem::replace(&mut *place.value.lock(), rest());
        place.users.store(0, Ordering::Relaxed);
        Some(value)
    }
}

impl Own {
    /// What a thread begins with that the running one makes: `shares` says of what it has no copy of its own.
    #[must_use]
    pub fn next(shares_files: bool, shares_location: bool) -> Self {
        let maker = &current_in_line().own;
        let (files, location) = (maker.files.load(Ordering::Relaxed), maker.location.load(Ordering::Relaxed));
        let files = if shares_files { FILES.share(files) } else { FILES.put(copy_of_files()) };
        let location = if shares_location { LOCATIONS.share(location) } else { LOCATIONS.put(copy_of_location()) };
        Self { files: AtomicU32::new(files), location: AtomicU32::new(location) }
    }

    /// The thread needs neither any more.
    #[inline]
    pub fn leave(&self) {
        if ability::unshare() && (self.files.load(Ordering::Relaxed) | self.location.load(Ordering::Relaxed)) != 0 {
            self.leave_both();
        }
    }

    #[cold]
    fn leave_both(&self) {
        let (files, location) = (self.files.swap(0, Ordering::Relaxed), self.location.swap(0, Ordering::Relaxed));
        if files != 0
            && let Some(table) = FILES.give_up(files, Table::new)
        {
            locking::LOCKS.release(files as usize, None);
            drop(table);
        }
        if location != 0 {
            drop(LOCATIONS.give_up(location, || current_in_line().process.location.lock().clone()));
        }
    }
}

/// The running thread's descriptors, copied.
pub fn copy_of_files() -> Table {
    crate::objects::process::descriptors().clone()
}

/// Its place in the tree, copied.
pub fn copy_of_location() -> Location {
    crate::objects::process::location().clone()
}

fn others(thread: &LinuxThread) -> bool {
    thread.process.threads.lock().count() > 1
}

/// The running thread gets descriptors of its own, if others have the same.
pub fn unshare_files() {
    let this = current_in_line();
    match this.own.files.load(Ordering::Relaxed) {
        0 if !others(this) => {}
        0 => this.own.files.store(FILES.put(copy_of_files()), Ordering::Relaxed),
        number if FILES.users(number) == 1 => {}
        number => {
            this.own.files.store(FILES.put(copy_of_files()), Ordering::Relaxed);
            drop(FILES.give_up(number, Table::new));
        }
    }
}

/// The same for the place in the tree.
pub fn unshare_location() {
    let this = current_in_line();
    match this.own.location.load(Ordering::Relaxed) {
        0 if !others(this) => {}
        0 => this.own.location.store(LOCATIONS.put(copy_of_location()), Ordering::Relaxed),
        number if LOCATIONS.users(number) == 1 => {}
        number => {
            this.own.location.store(LOCATIONS.put(copy_of_location()), Ordering::Relaxed);
            drop(LOCATIONS.give_up(number, copy_of_location));
        }
    }
}

/// What the running thread, the only one by now, has for itself is its process' (execve(2)).
pub fn become_shared() {
    let this = current_in_line();
    let own = &this.own;
    if own.files.load(Ordering::Relaxed) != 0 {
        let table = copy_of_files();
        let old = mem::replace(&mut *this.process.files.lock(), table);
        drop(old);
    }
    if own.location.load(Ordering::Relaxed) != 0 {
        let location = copy_of_location();
        let old = mem::replace(&mut *this.process.location.lock(), location);
        drop(old);
    }
    own.leave();
}
