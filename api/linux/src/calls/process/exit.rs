//! exit(2): ends the thread.

use crate::objects::futex;
use crate::objects::futex::robust;
use core::sync::atomic::Ordering;

use kernel::task;

use super::exit_group;
use crate::{
    Call, Result,
    objects::{ability, process::current_in_line, signals, user},
};

/// The last thread ends the process.
pub fn exit(call: &mut Call) -> Result {
    clear_id();
    if leave() == 0 {
        return exit_group::exit_group(call);
    }
    task::exit()
}

/// Ends the thread while others of its process go on.
pub fn end_thread() -> ! {
    clear_id();
    leave();
    task::exit()
}

/// The process goes on without the running thread; answers how many others there are.
fn leave() -> usize {
    let this = current_in_line();
    let left = this.process.threads.lock_in_line().remove(this.id());
    signals::forget_own();
    this.own.leave();
    this.process.thread_ended.wake_all();
    left
}

/// Lets go of robust futexes; clears the word that set_tid_address(2) named, and wakes who waits for that.
fn clear_id() {
    if ability::futexes() {
        robust::let_go();
    }
    let address = current_in_line().clear_child_id.load(Ordering::Relaxed);
    // Linux passes a bad address over too.
    if address != 0 && user::write_struct(address, &0_u32).is_ok() && ability::futexes() {
        futex::wake(futex::key(address, false), 1, u32::MAX);
    }
}
