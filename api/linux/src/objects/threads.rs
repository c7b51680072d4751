//! Threads: how one is made (clone(2)), how it ends, and how it becomes the only one (execve(2)).

use core::sync::atomic::Ordering;

use kernel::task::{self, Resources};
use linux_abi::{Errno, UserAddress, constants::CloneFlags};
use machine::Context;

use crate::{
    Result, current,
    objects::{
        ability, children,
        files::locking as closing,
        futex::{self, robust},
        process::{KEY, LinuxThread, Threads, Wish, apart, current_in_line, linux, table},
        signals, user,
    },
    process,
};

/// Makes a thread that goes on behind the system call, with 0 as its answer. Answers its id.
pub fn make(wish: &Wish) -> Result {
    let has = |flag| wish.has(flag);
    let registers = task::application_registers();
    let rsp = if wish.stack == 0 { registers.rsp } else { wish.stack as u64 };
    let context = Context { rax: 0, entry: Context::NO_SYSTEM_CALL, rsp, ..registers };
    let thread_pointer =
        if has(CloneFlags::CLONE_SETTLS) { wish.thread_pointer } else { contracts::processor::thread_pointer() };
    let parent = current_in_line();
    let id = parent.process.threads.lock_in_line().take_id().ok_or(Errno::EAGAIN)?;
    let linux = LinuxThread::next(id, wish);
    if has(CloneFlags::CLONE_CHILD_CLEARTID) {
        linux.clear_child_id.store(wish.child_id.0, Ordering::Relaxed);
    }
    let thread = task::spawn(task::space_of(task::current()), Resources::new(&KEY, linux), thread_pointer, &context)
        .map_err(|_| Errno::EAGAIN)?;
    if has(CloneFlags::CLONE_PARENT_SETTID) {
        user::write_struct(wish.parent_id, &id)?;
    }
    if has(CloneFlags::CLONE_CHILD_SETTID) {
        // Linux has the child write it, and passes a bad address over.
        let _ = user::write_struct(wish.child_id, &id);
    }
    task::count_processor_time();
    {
        let mut threads = parent.process.threads.lock_in_line();
        if parent.killed.load(Ordering::SeqCst) {
            // Whoever ends all others would not know of it.
            return Err(Errno::ERESTARTNOINTR);
        }
        threads.add(thread.clone());
    }
    task::start(thread);
    Ok(id as usize)
}

/// All other threads of the running one's process end, and it takes the place of the first. An error if another thread
/// does this already: then this one ends.
pub fn become_only() -> core::result::Result<(), Errno> {
    let (process, this) = (process(), current());
    if !stop_others() {
        return Err(Errno::ERESTARTNOINTR);
    }
    task::sleep_on(&process.thread_ended, &mut || process.threads.lock().count() == 1);
    process.threads.lock().become_first(this.id());
    Ok(())
}

/// All other threads of the running one's process end, which is about to end itself. Those that would not end soon are
/// left alone after this moment. If another thread does this already, this one ends.
pub fn end_others(deadline: u64) {
    let (process, this) = (process(), current());
    if !stop_others() {
        end_thread();
    }
    task::current().set_interrupted(false);
    let is_alone = || process.threads.lock().iter().all(|other| core::ptr::eq(linux(other), this));
    let _ = task::wait_until(Some(&process.thread_ended), Some(deadline), &mut || is_alone());
}

/// All threads of the running one's process end, it too.
pub fn end_all() -> ! {
    kill_others(&process().threads.lock(), current());
    process().continued.wake_all();
    process().kin().changed.wake_all();
    end_thread()
}

/// Has all other threads of the running one's process end; `false` if another thread does this already.
fn stop_others() -> bool {
    let (process, this) = (process(), current());
    {
        let threads = process.threads.lock();
        if this.killed.load(Ordering::SeqCst) {
            return false;
        }
        kill_others(&threads, this);
    }
    process.continued.wake_all();
    if ability::processes() {
        process.kin().changed.wake_all();
    }
    true
}

/// Has the others of these threads end before they go on.
fn kill_others(threads: &Threads, this: &LinuxThread) {
    for other in threads.iter().filter(|other| !core::ptr::eq(linux(other), this)) {
        linux(other).killed.store(true, Ordering::SeqCst);
        task::interrupt(other);
    }
}

/// Ends the thread; the last one ends its process, unless that is the first, whose end is the machine's.
pub fn end_thread() -> ! {
    let left = leave();
    if ability::processes() && left == 0 && process().id != table::FIRST {
        children::finish();
    }
    task::exit()
}

/// The process goes on without the running thread; answers how many others there are.
pub fn leave() -> usize {
    clear_id();
    // Before others see that it has gone: who waits to be alone (execve(2)) then has its descriptors alone.
    let files = apart::leave_files();
    let this = current_in_line();
    let left = this.process.threads.lock_in_line().remove(this.id());
    signals::forget_own();
    if let Some(files) = files {
        closing::close_all(files);
    }
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
    if address != 0 && user::write_struct(UserAddress(address), &0_u32).is_ok() && ability::futexes() {
        futex::wake(futex::key(address, false), 1, u32::MAX);
    }
}
