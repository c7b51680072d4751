//! What a parent is told of its children: SIGCHLD.

use families::News;
use linux_abi::{
    constants::{CLD_CONTINUED, CLD_EXITED, CLD_KILLED, CLD_STOPPED, CLOCK_TICKS, SA_NOCLDSTOP, SIGCHLD, SIGCONT},
    structures::SignalInformation,
};

use super::send_to_process;
use crate::{
    Process,
    objects::process::{kin::FAMILIES, table},
};

/// `si_code` and `si_status` for what has happened to a child.
#[must_use]
pub const fn code_and_status(news: News) -> (i32, u8) {
    match news {
        News::Exited(status) => (CLD_EXITED, status),
        News::Killed(signal) => (CLD_KILLED, signal),
        News::Stopped(signal) => (CLD_STOPPED, signal),
        News::Continued => (CLD_CONTINUED, SIGCONT),
    }
}

/// Sends a parent the signal about a child; none if that is 0.
pub fn tell_of_child(parent: &Process, child: &Process, signal: u8, news: News) {
    const TICK: u64 = 1_000_000_000 / CLOCK_TICKS;
    if signal == 0 {
        return;
    }
    let (code, status) = code_and_status(news);
    let user = child.identity.lock().user.real;
    let mut information = SignalInformation::sent(signal, code, child.id, user, status.into());
    information.fields[2] = child.processor_time() / TICK;
    let _ = send_to_process(parent, information);
}

/// A process has stopped, or goes on: its parent may wait for that, and gets a signal unless it wants none.
pub(super) fn tell_of_stop(child: &Process, news: News) {
    let told = match news {
        News::Stopped(signal) => FAMILIES.lock().stop(child.id, signal),
        _ => FAMILIES.lock().go_on(child.id),
    };
    let Some(parent) = told.and_then(table::find) else { return };
    if parent.signals.lock().action(SIGCHLD).flags as u32 & SA_NOCLDSTOP == 0 {
        tell_of_child(&parent, child, SIGCHLD, news);
    }
    parent.kin().changed.wake_all();
}
