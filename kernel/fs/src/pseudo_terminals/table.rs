//! Which pairs there are.

use alloc::{
    sync::{Arc, Weak},
    vec::Vec,
};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use sync::Mutex;
use vfs::FileError;

use super::pair::Pair;

/// Pairs there may be at a time (`/proc/sys/kernel/pty/max`).
pub const MOST: usize = 4096;

static TABLE: Mutex<Vec<Weak<Pair>>> = Mutex::new(Vec::new());
/// How many there are, so that nobody looks for one where there is none.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Makes a pair with the lowest number that is free; [`FileError::NoSpace`] if all are taken.
pub fn make() -> Result<Arc<Pair>, FileError> {
    let mut table = TABLE.lock();
    let number = table.iter().position(|pair| pair.strong_count() == 0).unwrap_or(table.len());
    if number == table.len() {
        if number == MOST {
            return Err(FileError::NoSpace);
        }
        table.try_reserve(1).map_err(|_| FileError::NoSpace)?;
        table.push(Weak::new());
    }
    let pair = Arc::new(Pair::new(number as u32));
    table[number] = Arc::downgrade(&pair);
    COUNT.fetch_add(1, Relaxed);
    Ok(pair)
}

/// A pair is there no longer.
pub fn forget() {
    COUNT.fetch_sub(1, Relaxed);
}

/// The pair of this number.
pub fn find(number: u32) -> Option<Arc<Pair>> {
    TABLE.lock().get(number as usize)?.upgrade()
}

/// The pair that this session has for its terminal.
pub fn of_session(session: u32) -> Option<Arc<Pair>> {
    if !contracts::config().pseudo_terminals || COUNT.load(Relaxed) == 0 || session == 0 {
        return None;
    }
    TABLE.lock().iter().filter_map(Weak::upgrade).find(|pair| pair.control().session() == session)
}
