//! Pages for the contents of files.
//!
//! They lie in one memory file of the host's (memfd_create(2)), which the kernel has mapped whole, so that a page can
//! be shown to the program at any address as well. The file is made when the first page is asked for; its pages take
//! memory when they are touched. Pages given back are kept for the next who asks.

use core::ptr::NonNull;

use machine::{MemoryRefused, PAGE_SIZE, PageRange};
use sync::Mutex;

use super::{
    arena::{ARENA, For},
    translations::refused,
};
use crate::host::{HostError, files, memory};

/// Addresses for such pages; they take no memory.
const ROOM: usize = 16 << 30;

/// A page that nobody has, in the page itself.
#[repr(C)]
struct Free {
    next: Option<NonNull<Self>>,
}

struct Pool {
    /// The memory file, and where it is mapped, once there is one.
    descriptor: i32,
    start: usize,
    /// Pages of it that somebody has had.
    used: usize,
    /// Of these, such that nobody has now.
    free: Option<NonNull<Free>>,
    free_count: usize,
}

// SAFETY: the pointers lead to memory that belongs to the pool.
unsafe impl Send for Pool {}

static POOL: Mutex<Pool> = Mutex::new(Pool { descriptor: -1, start: 0, used: 0, free: None, free_count: 0 });

impl Pool {
    fn make(&mut self) -> Result<(), HostError> {
        let start = ARENA.lock().take(ROOM, For::Seldom).ok_or(HostError::NO_MEMORY)?;
        let descriptor = files::memory_file(ROOM)?;
        memory::map_shared(&(start..start + ROOM), descriptor)?;
        (self.descriptor, self.start) = (descriptor, start);
        Ok(())
    }

    fn take(&mut self) -> Result<usize, MemoryRefused> {
        if let Some(page) = self.free {
            // SAFETY: a page that was given back, and holds what `give_back` wrote.
            self.free = unsafe { page.read() }.next;
            self.free_count -= 1;
            return Ok(page.addr().get());
        }
        if self.descriptor < 0 {
            self.make().map_err(refused)?;
        }
        let offset = self.used * PAGE_SIZE;
        if offset >= ROOM {
            return Err(MemoryRefused::OutOfMemory);
        }
        self.used += 1;
        Ok(self.start + offset)
    }

    fn give_back(&mut self, address: usize) {
        let page = NonNull::new(address as *mut Free).filter(|_| self.holds(address)).expect("a page of the pool");
        // SAFETY: its user has given it up, and it is as large and as aligned as a page.
        unsafe { page.write(Free { next: self.free }) };
        self.free = Some(page);
        self.free_count += 1;
    }

    /// Its addresses, once there is one.
    fn range(&self) -> Option<PageRange> {
        (self.descriptor >= 0).then_some(self.start..self.start + ROOM)
    }

    const fn holds(&self, address: usize) -> bool {
        self.start <= address && address < self.start + self.used * PAGE_SIZE && address.is_multiple_of(PAGE_SIZE)
    }
}

/// A page; its address in the kernel.
pub fn allocate() -> Result<usize, MemoryRefused> {
    POOL.lock().take()
}

/// Takes a page back.
pub fn free(address: usize) {
    POOL.lock().give_back(address);
}

/// The addresses for such pages: they are mapped from now on.
pub fn range() -> Result<PageRange, HostError> {
    let mut pool = POOL.lock();
    if pool.range().is_none() {
        pool.make()?;
    }
    pool.range().ok_or(HostError::NO_MEMORY)
}

/// Where the page at a kernel's address is in the memory file: the descriptor, and bytes.
pub fn place(address: usize) -> Option<(i32, usize)> {
    let pool = POOL.lock();
    pool.holds(address).then(|| (pool.descriptor, address - pool.start))
}

/// Bytes that somebody has.
pub fn in_use() -> usize {
    let pool = POOL.lock();
    (pool.used - pool.free_count) * PAGE_SIZE
}
