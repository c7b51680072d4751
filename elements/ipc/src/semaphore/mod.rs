//! Sets of semaphores: semget(2), semop(2), semctl(2).
//!
//! The operations of one call happen all at once or not at all. Who has to wait is in line before the one semaphore
//! that stops him: nothing but a change of it lets him go on. Whoever changes one carries out what others wait to do,
//! the longest waiting first, so no value is taken by one who came later.

mod set;

use alloc::vec::Vec;
use core::task::Waker;

use crate::{Caller, Error, Get, Permission, Table};

pub use set::{Ended, Operation, Set, UNDO, Wait};

/// Most sets, and most semaphores of one and of all (SEMMNI, SEMMSL, SEMMNS).
pub const MOST: usize = 32_000;
/// See [`MOST`].
pub const MOST_OF_SET: usize = 32_000;
/// See [`MOST`].
pub const MOST_OF_ALL: usize = 1_024_000_000;
/// Most operations of a call (SEMOPM).
pub const MOST_OPERATIONS: usize = 500;
/// The highest value, and the most that is undone (SEMVMX, SEMAEM).
pub const HIGHEST: i32 = 32_767;

/// The sets.
#[derive(Debug, Default)]
pub struct Sets {
    /// By number.
    pub table: Table<Set>,
    /// Semaphores of all.
    pub count: usize,
}

impl Sets {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self { table: Table::new(), count: 0 }
    }

    /// Finds a set of `count` semaphores at least, or makes one; its number.
    pub fn get(&mut self, key: i32, count: usize, flags: u32, caller: &Caller<'_>, now: i64) -> Result<i32, Error> {
        let fits = |set: &Set| if set.count() < count { Err(Error::Invalid) } else { Ok(()) };
        if let Get::Found(number) = self.table.get(key, flags, caller, fits)? {
            return Ok(number);
        }
        if count == 0 {
            return Err(Error::Invalid);
        }
        if self.count + count > MOST_OF_ALL || self.table.count() >= MOST {
            return Err(Error::NoRoom);
        }
        let set = Set::new(count, now)?;
        let number = self.table.add(Permission::new(key, flags, caller), set, MOST)?;
        self.count += count;
        Ok(number)
    }

    /// Takes a set away; those who wait for it learn that.
    pub fn remove(&mut self, number: i32, caller: &Caller<'_>) -> Result<(), Error> {
        self.table.find(number)?.permission.check_owner(caller)?;
        let set = self.table.remove(number)?.content;
        self.count -= set.count();
        set.send_away();
        Ok(())
    }

    /// semop(2): `None` if it is done, else what to wait with, which `waker` is asked for.
    pub fn operate(
        &mut self,
        number: i32,
        operations: Vec<Operation>,
        caller: &Caller<'_>,
        now: i64,
        waker: impl FnOnce() -> Waker,
    ) -> Result<Option<Wait>, Error> {
        let object = self.table.find(number)?;
        let set = &mut object.content;
        if operations.iter().any(|operation| usize::from(operation.number) >= set.count()) {
            return Err(Error::NoSuchSemaphore);
        }
        let changes = operations.iter().any(|operation| operation.change != 0);
        object.permission.check(caller, if changes { crate::WRITE } else { crate::READ })?;
        set.operate(operations, caller.process, now, waker)
    }

    /// Gives a wait up: how it ended if it had, else `None`.
    pub fn give_up(&mut self, number: i32, wait: &Wait) -> Option<Ended> {
        let ended = wait.ended();
        if ended.is_none()
            && let Ok(object) = self.table.find(number)
        {
            object.content.forget(wait);
        }
        ended
    }

    /// A process ends, or parts with the others' adjustments (CLONE_SYSVSEM of unshare(2)): what it did to be undone is
    /// undone.
    pub fn leave(&mut self, process: u32, now: i64) {
        let numbers: Vec<i32> =
            self.table.iter().filter(|(_, set)| set.content.owes(process)).map(|(id, _)| id).collect();
        for number in numbers {
            if let Ok(object) = self.table.find(number) {
                object.content.undo(process, now);
            }
        }
    }
}
