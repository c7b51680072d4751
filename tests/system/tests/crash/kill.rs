//! The kill: SIGKILL, which nobody is asked about.

use rustix::process::{Pid, Signal, kill_process};
use system_tests::Running;

/// Kills the machine alone, and leaves the command to see it.
pub fn machine(running: &Running) {
    kill(*chain(running.id()).last().unwrap());
}

/// Kills the machine and the command that keeps it, in the one order or the other.
pub fn all(running: &Running, is_machine_first: bool) {
    let mut processes = chain(running.id());
    if is_machine_first {
        processes.reverse();
    }
    processes.into_iter().for_each(kill);
}

/// One that has just gone with another is none to be missed.
fn kill(process: i32) {
    let _ = kill_process(Pid::from_raw(process).unwrap(), Signal::KILL);
}

/// The command, and its child, and so on down to the machine. The command itself may have become that.
fn chain(command: i32) -> Vec<i32> {
    let child = |process: &i32| {
        let children = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children")).ok()?;
        children.split(' ').next()?.parse().ok()
    };
    std::iter::successors(Some(command), child).collect()
}
