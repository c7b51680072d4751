//! Niceness.

use identity::Capability;
use kernel::task;
use linux_abi::Errno;

use crate::{Call, Result, objects::scheduling};

/// getpriority(2): niceness.
///
/// The raw call answers 20 minus the niceness.
pub fn getpriority(call: &mut Call) -> Result {
    let thread = scheduling::whose(call.int(0), call.int(1))?;
    Ok((20 - i32::from(task::parameters(&thread).nice)) as usize)
}

/// setpriority(2): sets niceness.
///
/// Only a privileged user's thread becomes less nice.
pub fn setpriority(call: &mut Call) -> Result {
    let thread = scheduling::whose(call.int(0), call.int(1))?;
    let mut parameters = task::parameters(&thread);
    let nice = call.int(2).clamp(-20, 19) as i8;
    if nice < parameters.nice && !crate::objects::process::may(Capability::SysNice) {
        return Err(Errno::EACCES);
    }
    parameters.nice = nice;
    task::set_parameters(&thread, parameters);
    Ok(0)
}
