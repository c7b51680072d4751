//! Memory that the kernel has by it for the moment at which none is left: copies to programs, and what the kernel needs
//! to end a process, get it then. Only machines of several processes have it, from the second process on.

use core::sync::atomic::{
    AtomicUsize,
    Ordering::{AcqRel, Relaxed},
};

use machine::PAGE_SIZE;

/// Pages of it.
const PAGES: usize = (1 << 20) / PAGE_SIZE;

/// Where it begins; 0 if it is not there.
static RESERVE: AtomicUsize = AtomicUsize::new(0);

/// Has it be there; `false` if memory is so short that it cannot.
pub fn fill() -> bool {
    if RESERVE.load(Relaxed) != 0 {
        return true;
    }
    let Ok(start) = contracts::kernel_memory::allocate(PAGES) else { return false };
    if RESERVE.compare_exchange(0, start, AcqRel, Relaxed).is_err() {
        contracts::kernel_memory::free(start, PAGES);
    }
    true
}

/// Gives it back to be used now; `false` if it is not there.
pub fn spend() -> bool {
    if !contracts::config::config().processes {
        return false;
    }
    let start = RESERVE.swap(0, AcqRel);
    if start != 0 {
        contracts::kernel_memory::free(start, PAGES);
    }
    start != 0
}
