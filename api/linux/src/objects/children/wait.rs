//! Waiting for children: wait4(2), waitid(2).

use alloc::sync::Arc;
use core::sync::atomic::Ordering;

use families::{Found, NoChild, Wanted};
use kernel::task::{self, Waited};
use linux_abi::Errno;

use crate::{
    Process,
    objects::{
        ability,
        process::{kin::FAMILIES, table},
    },
    process,
};

/// A child that was waited for.
pub struct Reaped {
    /// Which, and what has happened to it.
    pub found: Found,
    /// The child, of which nothing is kept any more if it has ended.
    pub process: Arc<Process>,
    /// Nanoseconds of processor time that it has had, and its children that it waited for.
    pub time: u64,
}

/// Waits for a child of the running process; `None` where there is one and `hangs` is `false`. ECHILD if there is none,
/// ERESTARTSYS if a signal comes first.
pub fn wait(wanted: &Wanted, hangs: bool) -> Result<Option<Reaped>, Errno> {
    if !ability::processes() {
        return Err(Errno::ECHILD);
    }
    let this = process();
    let mut result = FAMILIES.lock().wait(this.id, wanted);
    if hangs && result == Ok(None) {
        let waited = task::wait_until(Some(&this.kin().changed), None, &mut || {
            result = FAMILIES.lock().wait(this.id, wanted);
            result != Ok(None)
        });
        if waited != Waited::Ready(()) {
            return Err(Errno::ERESTARTSYS);
        }
    }
    match result {
        Ok(found) => Ok(found.and_then(reap)),
        Err(NoChild) => Err(Errno::ECHILD),
    }
}

fn reap(found: Found) -> Option<Reaped> {
    let child = table::find(found.number)?;
    let time = child.processor_time() + child.children_time();
    if found.gone {
        process().kin().children_time.fetch_add(time, Ordering::Relaxed);
        table::remove(found.number);
    }
    Some(Reaped { found, process: child, time })
}
