//! Message queues: msgget(2), msgsnd(2), msgrcv(2), msgctl(2).
//!
//! A message for which somebody waits is handed to him; a message for which there was no room comes in as soon as there
//! is, the longest waiting first.

mod contents;
mod queue;

use core::task::Waker;

use crate::{Caller, Error, Get, Permission, Table};

pub use contents::{Contents, Message, Selection};
pub use queue::{Ended, Queue, Receive, Wait};

/// Most queues (`/proc/sys/kernel/msgmni`).
pub const MOST: usize = 32_000;
/// Most bytes of a message (`msgmax`).
pub const LONGEST: usize = 8192;
/// Bytes, and messages, that a queue holds unless it is told otherwise (`msgmnb`).
pub const USUAL_ROOM: u64 = 16_384;

/// The queues.
#[derive(Debug, Default)]
pub struct Queues {
    /// By number.
    pub table: Table<Queue>,
}

impl Queues {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self { table: Table::new() }
    }

    /// Finds a queue, or makes one; its number.
    pub fn get(&mut self, key: i32, flags: u32, caller: &Caller<'_>, now: i64) -> Result<i32, Error> {
        match self.table.get(key, flags, caller, |_| Ok(()))? {
            Get::Found(number) => Ok(number),
            Get::New => self.table.add(Permission::new(key, flags, caller), Queue::new(now), MOST),
        }
    }

    /// Takes a queue away; those who wait for it learn that. What was in it is dropped.
    pub fn remove(&mut self, number: i32, caller: &Caller<'_>) -> Result<(), Error> {
        self.table.find(number)?.permission.check_owner(caller)?;
        self.table.remove(number)?.content.send_away();
        Ok(())
    }

    /// msgsnd(2): `None` if it is done, else what to wait with, which `waker` is asked for, if there is one.
    pub fn send<W: FnOnce() -> Waker>(
        &mut self,
        number: i32,
        message: Message,
        caller: &Caller<'_>,
        now: i64,
        waker: Option<W>,
    ) -> Result<Option<Wait>, Error> {
        let object = self.table.find(number)?;
        object.permission.check(caller, crate::WRITE)?;
        object.content.send(message, caller.process, now, waker)
    }

    /// msgrcv(2): the message, or what to wait with.
    pub fn receive<W: FnOnce() -> Waker>(
        &mut self,
        number: i32,
        wanted: Receive,
        caller: &Caller<'_>,
        now: i64,
        waker: Option<W>,
    ) -> Result<Result<Message, Wait>, Error> {
        let object = self.table.find(number)?;
        object.permission.check(caller, crate::READ)?;
        object.content.receive(wanted, caller.process, now, waker)
    }

    /// MSG_COPY: a copy of the message of that place in the queue.
    pub fn copy(&mut self, number: i32, place: usize, caller: &Caller<'_>) -> Result<Message, Error> {
        let object = self.table.find(number)?;
        object.permission.check(caller, crate::READ)?;
        object.content.contents.nth(place).cloned().ok_or(Error::NoMessage)
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

    /// Messages and bytes of all queues.
    #[must_use]
    pub fn totals(&self) -> (usize, u64) {
        self.table.iter().fold((0, 0), |(messages, bytes), (_, object)| {
            let contents = &object.content.contents;
            (messages + contents.count(), bytes + contents.bytes())
        })
    }
}
