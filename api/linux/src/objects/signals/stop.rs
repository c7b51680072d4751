//! Stopping a process and going on with it: SIGSTOP, SIGTSTP, SIGCONT.

use core::sync::atomic::Ordering;

use families::News;
use kernel::task::{self, sleep_on};

use super::child::tell_of_stop;
use crate::{
    Process,
    objects::{ability, process::LinuxThread},
    process,
};

/// A signal stops the running thread's process: all threads sleep before they go on.
pub fn stop(signal: u8) {
    let process = process();
    if process.stopped.swap(true, Ordering::SeqCst) {
        return;
    }
    process.threads.lock().iter().for_each(|thread| task::interrupt(thread));
    if ability::processes() {
        tell_of_stop(process, News::Stopped(signal));
    }
}

/// Sleeps as long as the process of `this`, the running thread, is stopped, or until the thread is to end.
pub fn wait(this: &LinuxThread) {
    let process = &*this.process;
    if process.stopped.load(Ordering::SeqCst) {
        sleep_on(&process.continued, &mut || {
            !process.stopped.load(Ordering::SeqCst) || this.killed.load(Ordering::SeqCst)
        });
    }
}

/// A process goes on.
pub fn go_on(process: &Process) {
    if process.stopped.swap(false, Ordering::SeqCst) {
        process.continued.wake_all();
        if ability::processes() {
            tell_of_stop(process, News::Continued);
        }
    }
}
