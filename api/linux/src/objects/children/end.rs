//! The end of a process that is not the machine's first.

use alloc::sync::Arc;
use core::{mem, sync::atomic::Ordering};

use families::{Bereaved, Ended, News};
use linux_abi::{
    constants::{SA_NOCLDWAIT, SI_KERNEL, SI_USER, SIG_IGN, SIGCHLD, SIGCONT, SIGHUP},
    structures::SignalInformation,
};
use machine::ExitReason;

use crate::{
    Process,
    objects::{
        interprocess::SETS,
        process::{kin::FAMILIES, linux, table},
        signals, terminal,
        time::notice,
    },
    process,
};

/// The last thread of a process other than the first has ended, and runs this: what the process had is given back, and
/// those are told who are to know.
pub fn finish() {
    let this = Arc::clone(&crate::current().process);
    give_up(&this);
    give_back(&this);
    *this.kin().sharers.lock() = None;
    let reason = this.kin().end.lock().unwrap_or(ExitReason::Exited(0));
    let news = match reason {
        ExitReason::Exited(status) => News::Exited(status),
        ExitReason::Killed(signal) => News::Killed(signal),
        ExitReason::Failed | ExitReason::CannotExecute | ExitReason::NotFound => News::Exited(127),
    };
    terminal::leader_ends();
    let ended = FAMILIES.lock().end(this.id, news);
    if let Some(ended) = ended {
        tell_all(&this, news, ended);
    }
    this.kin().ended.wake_all();
}

/// Gives back what a process has: timers, adjustments of semaphores. Descriptors went with its threads.
fn give_up(process: &Arc<Process>) {
    notice::delete_all();
    let intervals = mem::take(&mut *process.interval_timers.lock());
    for timer in intervals.into_iter().flatten() {
        timer.set(0, true, 0);
    }
    let contexts = mem::take(&mut *process.asynchronous.lock());
    drop(contexts);
    SETS.lock().leave(process.id, crate::objects::interprocess::now());
    let shown = process.shown.lock().take();
    drop(shown);
    // Who waits for this process finds no segment attached by it, and no file mapped.
    if !process.shares_space() {
        kernel::task::space().abandon();
    }
}

/// A process runs no longer in the memory of a parent that waits for that (vfork).
pub fn give_back(process: &Process) {
    if process.kin().borrows.swap(false, Ordering::SeqCst)
        && let Some(parent) = table::find(process.parent.load(Ordering::Relaxed))
    {
        parent.kin().changed.wake_all();
    }
}

fn tell_all(this: &Arc<Process>, news: News, ended: Ended) {
    for child in ended.children {
        bereave(child);
    }
    for group in ended.hung_up {
        for signal in [SIGHUP, SIGCONT] {
            signals::send_to_group(group, SignalInformation::sent(signal, SI_KERNEL, 0, 0, 0));
        }
    }
    match ended.parent.and_then(|(number, signal)| Some((table::find(number)?, signal))) {
        Some((parent, signal)) => tell_parent(this, &parent, signal, news),
        None => table::remove(this.id),
    }
}

/// A parent learns of a child's end, which waits for it then; unless it does not want to know.
fn tell_parent(child: &Process, parent: &Process, signal: u8, news: News) {
    let action = parent.signals.lock().action(SIGCHLD);
    let ignores = action.handler == SIG_IGN || action.flags as u32 & SA_NOCLDWAIT != 0;
    if signal == SIGCHLD && ignores {
        FAMILIES.lock().forget(child.id);
        table::remove(child.id);
    }
    if action.handler != SIG_IGN {
        signals::tell_of_child(parent, child, signal, news);
    }
    parent.kin().changed.wake_all();
}

/// A child of a process that ends: another one is its parent.
fn bereave(child: Bereaved) {
    if let Some(process) = table::find(child.number) {
        process.parent.store(child.parent, Ordering::Relaxed);
        let threads = process.threads.lock();
        let wished = threads.iter().map(|thread| linux(thread).death_signal.load(Ordering::Relaxed));
        let wished = wished.max().unwrap_or(0);
        drop(threads);
        if wished != 0 {
            let _ = signals::send_to_process(&process, SignalInformation::sent(wished as u8, SI_USER, 0, 0, 0));
        }
    }
    match child.ended {
        Some((_, None)) => table::remove(child.number),
        Some((news, Some(signal))) => {
            if let Some((adopter, ended)) = table::find(child.parent).zip(table::find(child.number)) {
                signals::tell_of_child(&adopter, &ended, signal, news);
                adopter.kin().changed.wake_all();
            }
        }
        None => {}
    }
}

/// The running process is to end as said; the first word counts.
pub fn note(reason: ExitReason) {
    process().kin().end.lock().get_or_insert(reason);
}
