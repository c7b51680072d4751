//! The timers of a process: timer_create(2).
//!
//! A timer's signal waits at most once. While it does, the timer stands still; what it missed is counted when the
//! signal is taken (timer_getoverrun(2)). Until then the signal has its timer's mark where a program will find that.

use alloc::{
    boxed::Box,
    sync::{Arc, Weak},
};
use core::sync::atomic::{AtomicU32, Ordering};

use linux_abi::{
    Errno,
    constants::{SIGEV_NONE, SIGEV_SIGNAL, SIGEV_THREAD, SIGEV_THREAD_ID},
    structures::{SignalEvent, SignalInformation},
};
use signal_state::FROM_TIMER;
use sync::Mutex;
use timers::Overruns;

use super::clocks;
use crate::{
    Process, current,
    objects::{
        signals,
        timers::{
            Notice, Timer,
            clock::Clock,
            ticker::{Heard, RESPITE, Ring, Ticker},
        },
    },
    process,
};

/// Timers that have been made.
static MADE: AtomicU32 = AtomicU32::new(0);

/// Sends a signal of a timer, and counts what it missed.
struct Telling {
    process: Weak<Process>,
    id: u32,
    mark: u32,
    event: SignalEvent,
    count: Mutex<Overruns>,
}

struct Bell(Arc<Telling>);

impl Ring for Bell {
    fn ring(&self, count: u64) -> Heard {
        let notice = &*self.0;
        let Some(process) = notice.process.upgrade() else { return Heard::Enough };
        if notice.event.sigev_notify == SIGEV_NONE {
            return Heard::No;
        }
        let sends = notice.count.lock().ring(count);
        if !sends || notice.send(&process) {
            return Heard::Enough;
        }
        notice.count.lock().ignored();
        Heard::No
    }
}

impl Telling {
    /// Sends the signal; whether it waits now.
    fn send(&self, process: &Process) -> bool {
        let event = &self.event;
        let mut information = SignalInformation::timer(event.sigev_signo as u8, self.id, self.mark, event.sigev_value);
        information.padding = FROM_TIMER;
        let sent = if event.sigev_notify == SIGEV_THREAD_ID {
            let thread = process.threads.lock().find(event.sigev_notify_thread_id);
            thread.map_or(Ok(false), |thread| signals::send_to_thread(&thread, information))
        } else {
            signals::send_to_process(process, information)
        };
        sent.unwrap_or(false)
    }
}

impl Notice for Telling {
    fn mark(&self) -> u32 {
        self.mark
    }

    fn taken(&self, ticker: &Arc<Ticker>) -> u32 {
        // Before the timer goes on: it may ring at once, on another processor, and one that finds its signal still
        // waiting stands still for good.
        let missed = self.count.lock().take();
        let missed = missed.saturating_add(ticker.go_on(RESPITE));
        self.count.lock().tell(missed)
    }

    fn overrun(&self) -> u32 {
        self.count.lock().last()
    }
}

/// Makes a timer by `clock` that tells as `event` says, by SIGALRM if that is `None`; answers its id.
pub fn create(clock: Clock, event: Option<SignalEvent>) -> Result<u32, Errno> {
    let mut timers = process().timers.lock();
    let id = timers.free();
    let event = match event {
        Some(event) => checked(event)?,
        None => SignalEvent {
            sigev_value: id as u64,
            sigev_signo: linux_abi::constants::SIGALRM.into(),
            ..SignalEvent::default()
        },
    };
    if id >= process().limits.lock()[linux_abi::constants::RLIMIT_SIGPENDING as usize].rlim_cur as usize {
        return Err(Errno::EAGAIN);
    }
    let process = Arc::downgrade(&current().process);
    let mark = MADE.fetch_add(1, Ordering::Relaxed);
    let notice = Arc::new(Telling { process, id: id as u32, mark, event, count: Mutex::default() });
    let timer = Timer { ticker: Ticker::new(clock, Box::new(Bell(Arc::clone(&notice)))), notice };
    timers.put(id, timer);
    Ok(id as u32)
}

fn checked(event: SignalEvent) -> Result<SignalEvent, Errno> {
    match event.sigev_notify {
        SIGEV_NONE => return Ok(event),
        SIGEV_THREAD_ID => {
            clocks::thread_numbered(event.sigev_notify_thread_id as u32).ok_or(Errno::EINVAL)?;
        }
        // The C library makes the thread of SIGEV_THREAD; the kernel sends its signal.
        SIGEV_SIGNAL | SIGEV_THREAD => {}
        _ => return Err(Errno::EINVAL),
    }
    signals::checked(event.sigev_signo)?;
    Ok(event)
}

/// The running process' timer with this id; EINVAL if there is none.
pub fn timer(id: i32) -> Result<Timer, Errno> {
    process().timers.lock().find(id).ok_or(Errno::EINVAL)
}

/// Ends a timer; EINVAL if there is none.
pub fn delete(id: i32) -> Result<(), Errno> {
    let timer = process().timers.lock().remove(id).ok_or(Errno::EINVAL)?;
    timer.ticker.set(0, true, 0);
    Ok(())
}

/// Ends all of them (execve(2)).
pub fn delete_all() {
    let timers = core::mem::take(&mut *process().timers.lock());
    for timer in timers.into_all() {
        timer.ticker.set(0, true, 0);
    }
}
