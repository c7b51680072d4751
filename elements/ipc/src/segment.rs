//! Shared memory: shmget(2), shmctl(2). What is in a segment is for others to keep; here is who has it.

use crate::{Caller, Error, Get, Permission, Table};

/// Most segments (`/proc/sys/kernel/shmmni`).
pub const MOST: usize = 4096;
/// Most bytes of one, and pages of all (`shmmax`, `shmall`).
pub const MOST_BYTES: u64 = u64::MAX - (1 << 24);

/// Marks of a mode: it goes when nobody has it, and it is not to be swapped.
pub const DOOMED: u32 = 0o1000;
/// See [`DOOMED`].
pub const LOCKED: u32 = 0o2000;

/// A segment; its contents are a `C`.
#[derive(Debug)]
pub struct Segment<C> {
    /// Where its bytes are.
    pub contents: C,
    /// How many.
    pub size: u64,
    /// Who made it, and who attached or detached it last.
    pub creator: u32,
    /// See `creator`.
    pub last: u32,
    /// How often it is attached.
    pub attached: u64,
    /// When it was attached, detached and changed last, in seconds; 0 for never.
    pub attached_at: i64,
    /// See `attached_at`.
    pub detached_at: i64,
    /// See `attached_at`.
    pub changed_at: i64,
}

/// The segments.
#[derive(Debug)]
pub struct Segments<C> {
    /// By number.
    pub table: Table<Segment<C>>,
    /// Pages of all.
    pub pages: u64,
}

/// Bytes of a page.
const PAGE: u64 = 4096;

impl<C> Default for Segments<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C> Segments<C> {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self { table: Table::new(), pages: 0 }
    }

    /// Looks for a segment of `size` bytes at least.
    pub fn get(&self, key: i32, size: u64, flags: u32, caller: &Caller<'_>) -> Result<Get, Error> {
        let fits = |segment: &Segment<C>| if segment.size < size { Err(Error::Invalid) } else { Ok(()) };
        self.table.get(key, flags, caller, fits)
    }

    /// [`Error::Invalid`] for a size that no new segment has, [`Error::NoRoom`] if all would have too many pages.
    pub fn check(&self, size: u64) -> Result<(), Error> {
        if size == 0 || size > MOST_BYTES {
            return Err(Error::Invalid);
        }
        let pages = self.pages.checked_add(size.div_ceil(PAGE)).filter(|&pages| pages <= MOST_BYTES);
        if pages.is_none() || self.table.count() >= MOST { Err(Error::NoRoom) } else { Ok(()) }
    }

    /// Adds one that has been [checked](Self::check) and looked for.
    pub fn add(
        &mut self,
        key: i32,
        (size, mode): (u64, u32),
        contents: C,
        caller: &Caller<'_>,
        now: i64,
    ) -> Result<i32, Error> {
        let segment = Segment {
            contents,
            size,
            creator: caller.process,
            last: 0,
            attached: 0,
            attached_at: 0,
            detached_at: 0,
            changed_at: now,
        };
        let number = self.table.add(Permission::new(key, mode, caller), segment, MOST)?;
        self.pages += size.div_ceil(PAGE);
        Ok(number)
    }

    /// Somebody is about to attach it: it stays until he [lets go](Self::release) of it.
    pub fn hold(&mut self, number: i32) -> Result<&mut Segment<C>, Error> {
        let segment = &mut self.table.find(number)?.content;
        segment.attached += 1;
        Ok(segment)
    }

    /// A process that holds it has attached it.
    pub fn attach(&mut self, number: i32, process: u32, now: i64) {
        if let Ok(object) = self.table.find(number) {
            (object.content.last, object.content.attached_at) = (process, now);
        }
    }

    /// A process that attached it has detached it.
    pub fn detach(&mut self, number: i32, process: u32, now: i64) {
        if let Ok(object) = self.table.find(number) {
            (object.content.last, object.content.detached_at) = (process, now);
        }
    }

    /// One who held it does no longer. What is left of a doomed segment that nobody holds is for the caller to drop,
    /// when nothing is locked.
    pub fn release(&mut self, number: i32) -> Option<C> {
        let object = self.table.find(number).ok()?;
        let segment = &mut object.content;
        segment.attached = segment.attached.saturating_sub(1);
        let goes = segment.attached == 0 && object.permission.mode & DOOMED != 0;
        if goes { self.destroy(number) } else { None }
    }

    /// Takes it away as soon as nobody has it (IPC_RMID); as [`Self::release`].
    pub fn doom(&mut self, number: i32) -> Result<Option<C>, Error> {
        let object = self.table.find(number)?;
        if object.content.attached == 0 {
            return Ok(self.destroy(number));
        }
        object.permission.mode |= DOOMED;
        self.table.forget_key(number)?;
        Ok(None)
    }

    fn destroy(&mut self, number: i32) -> Option<C> {
        let segment = self.table.remove(number).ok()?.content;
        self.pages -= segment.size.div_ceil(PAGE);
        Some(segment.contents)
    }
}
