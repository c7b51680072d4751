//! Niceness.

use identity::Capability;
use kernel::task::{self, Thread};
use linux_abi::Errno;

use crate::{Result, objects::scheduling};

/// getpriority(2): niceness.
///
/// The raw call answers 20 minus the niceness, of several the least.
pub fn getpriority(which: i32, who: i32) -> Result {
    let threads = scheduling::whose(which, who)?;
    let least = threads.iter().map(|thread| task::parameters(thread).nice).min().unwrap_or(0);
    Ok((20 - i32::from(least)) as usize)
}

/// setpriority(2): sets niceness.
///
/// Only a privileged user's thread becomes less nice.
pub fn setpriority(which: i32, who: i32, priority: i32) -> Result {
    let nice = priority.clamp(-20, 19) as i8;
    let mut result = Ok(0);
    for thread in scheduling::whose(which, who)? {
        result = set(&thread, nice).and(result);
    }
    result
}

fn set(thread: &Thread, nice: i8) -> Result {
    scheduling::may_change(thread)?;
    let mut parameters = task::parameters(thread);
    if nice < parameters.nice && !crate::objects::process::may(Capability::SysNice) {
        return Err(Errno::EACCES);
    }
    parameters.nice = nice;
    task::set_parameters(thread, parameters);
    Ok(0)
}
