//! Sending signals.

use alloc::{sync::Arc, vec::Vec};

use kernel::task::{self, Thread};
use linux_abi::{
    Errno,
    constants::{SI_TKILL, SI_USER},
    structures::SignalInformation,
};

use crate::{
    Process, Result,
    objects::{
        ability,
        process::{current_in_line, kin::FAMILIES, table},
        signals::{arguments, may_send, send_to_process, send_to_thread},
    },
    process,
};

/// kill(2): sends a signal to a process.
///
/// 0 means the caller's group, a negative number the group of its opposite, and -1 all processes but the first and the
/// caller.
pub fn kill(id: i32, signal: i32) -> Result {
    let signal = arguments::signal_or_none(signal)?;
    match id {
        // The number of any thread will do for the process.
        1.. => kill_one(&table::numbered(id).ok_or(Errno::ESRCH)?, signal),
        -1 => {
            let others = |id: &u32| *id != table::FIRST && *id != process().id;
            kill_all(table::all().filter(others).collect(), signal)
        }
        i32::MIN => Err(Errno::ESRCH),
        _ => {
            let group = if id == 0 { process().group() } else { id.unsigned_abs() };
            kill_all(members(group), signal)
        }
    }
}

fn members(group: u32) -> Vec<u32> {
    if ability::processes() {
        return FAMILIES.lock().group_members(group).collect();
    }
    if group == table::FIRST { alloc::vec![table::FIRST] } else { Vec::new() }
}

/// The error is that of the last one, if no process got it.
fn kill_all(processes: Vec<u32>, signal: Option<u8>) -> Result {
    let mut all = Err(Errno::ESRCH);
    for process in processes.into_iter().filter_map(table::find) {
        let one = kill_one(&process, signal);
        all = if all.is_ok() { all } else { one };
    }
    all
}

fn kill_one(target: &Arc<Process>, signal: Option<u8>) -> Result {
    if !may_send(target, signal) {
        return Err(Errno::EPERM);
    }
    if let Some(signal) = signal {
        let user = crate::objects::process::identity().user.real;
        let information = SignalInformation::sent(signal, SI_USER, process().id, user, 0);
        // A standard signal that finds no room waits already, or a thousand others do.
        let _ = send_to_process(target, information);
    }
    Ok(0)
}

/// tkill(2): sends a signal to a thread.
///
/// Sends to the thread with this id.
pub fn tkill(id: i32, signal: i32) -> Result {
    if id <= 0 {
        return Err(Errno::EINVAL);
    }
    send(table::numbered(id).ok_or(Errno::ESRCH), id, signal)
}

/// Sends `signal` to the thread `id` of a process.
fn send(target: core::result::Result<Arc<Process>, Errno>, id: i32, signal: i32) -> Result {
    let signal = arguments::signal_or_none(signal)?;
    let target = target?;
    let thread = target.threads.lock().find(id).ok_or(Errno::ESRCH)?;
    if !may_send(&target, signal) {
        return Err(Errno::EPERM);
    }
    tell(&thread, signal)
}

/// Sends `signal` to a thread that it may be sent to.
fn tell(thread: &Thread, signal: Option<u8>) -> Result {
    if let Some(signal) = signal {
        let user = crate::objects::process::identity().user.real;
        let information = SignalInformation::sent(signal, SI_TKILL, process().id, user, 0);
        send_to_thread(thread, information).map_err(|_| Errno::EAGAIN)?;
    }
    Ok(0)
}

/// tgkill(2): sends a signal to a thread of a process.
///
/// Sends to the thread with this id, if it is of that process.
pub fn tgkill(group: i32, id: i32, signal: i32) -> Result {
    if group <= 0 || id <= 0 {
        return Err(Errno::EINVAL);
    }
    let this = current_in_line();
    if id.cast_unsigned() == this.id() && group.cast_unsigned() == this.process.id {
        // raise(3): it is here, and may.
        return tell(task::current(), arguments::signal_or_none(signal)?);
    }
    send(table::find(group.cast_unsigned()).ok_or(Errno::ESRCH), id, signal)
}
