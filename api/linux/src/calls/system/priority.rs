//! Niceness.

use identity::Capability;
use kernel::task;
use linux_abi::Errno;

use crate::{Result, objects::scheduling};

/// getpriority(2): niceness.
///
/// The raw call answers 20 minus the niceness.
pub fn getpriority(which: i32, who: i32) -> Result {
    let thread = scheduling::whose(which, who)?;
    Ok((20 - i32::from(task::parameters(&thread).nice)) as usize)
}

/// setpriority(2): sets niceness.
///
/// Only a privileged user's thread becomes less nice.
pub fn setpriority(which: i32, who: i32, priority: i32) -> Result {
    let thread = scheduling::whose(which, who)?;
    let mut parameters = task::parameters(&thread);
    let nice = priority.clamp(-20, 19) as i8;
    if nice < parameters.nice && !crate::objects::process::may(Capability::SysNice) {
        return Err(Errno::EACCES);
    }
    parameters.nice = nice;
    task::set_parameters(&thread, parameters);
    Ok(0)
}
