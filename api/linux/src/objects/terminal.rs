//! The console as the controlling terminal of a session: which group is in the foreground, and what becomes of the
//! others when they read, write or change it (tty_ioctl(2), "Job control" of POSIX, Linux'
//! `drivers/tty/tty_jobctrl.c`).
//!
//! Keys become signals at the host's terminal, which is the one that the program sees. Who stops is decided here. When
//! that is the first process, the command stops too, so that the shell that started it has the terminal back.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use fs::console::Jobs;
use identity::Capability;
use linux_abi::{
    Errno,
    constants::{SI_KERNEL, SIGCONT, SIGHUP, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU},
    structures::SignalInformation,
};
use signal_state::Effect;
use vfs::FileError;

use crate::{
    objects::{
        ability,
        process::{self, kin::FAMILIES, process_signals, table, thread_signals},
        signals,
    },
    process,
};

/// The session that has the terminal; 0 if none has.
static SESSION: AtomicU32 = AtomicU32::new(table::FIRST);
/// The group in the foreground; 0 if none is.
static FOREGROUND: AtomicU32 = AtomicU32::new(table::FIRST);
/// The command is told when the first process stops.
static TELLS: AtomicBool = AtomicBool::new(false);

/// The first process begins. Where it has a terminal, Ctrl-Z is answered here from now on.
pub fn begin() {
    if fs::console::provide_jobs(&Running) {
        TELLS.store(true, Relaxed);
        contracts::console::job_control(None);
    }
}

/// What the terminal asks about the running process.
struct Running;

impl Jobs for Running {
    fn may_read(&self) -> Result<(), FileError> {
        check(SIGTTIN).map_err(file_error)
    }

    fn may_write(&self) -> Result<(), FileError> {
        check(SIGTTOU).map_err(file_error)
    }

    fn is_in_background(&self) -> bool {
        is_in_background()
    }

    fn has_terminal(&self) -> bool {
        has_terminal()
    }
}

/// A call that a signal interrupts waits for it; it is made again when the process goes on.
fn file_error(error: Errno) -> FileError {
    if error == Errno::ERESTARTSYS { FileError::WouldBlock } else { FileError::Failed }
}

/// Whether the terminal is that of the running process' session, and it has not given it up.
fn has_terminal() -> bool {
    let this = process();
    SESSION.load(Relaxed) == this.session() && !this.kin().left_terminal.load(Relaxed)
}

/// Whether the running process has the terminal, and another group is in its foreground.
fn is_in_background() -> bool {
    let foreground = FOREGROUND.load(Relaxed);
    foreground != process().group() && foreground != 0 && has_terminal()
}

/// ENOTTY unless the terminal is the running process'.
fn check_ours() -> Result<(), Errno> {
    if !ability::processes() || has_terminal() { Ok(()) } else { Err(Errno::ENOTTY) }
}

/// The group in the foreground (TIOCGPGRP).
pub fn foreground() -> Result<u32, Errno> {
    check_ours()?;
    Ok(FOREGROUND.load(Relaxed))
}

/// The session that has the terminal (TIOCGSID).
pub fn session() -> Result<u32, Errno> {
    check_ours()?;
    Ok(SESSION.load(Relaxed))
}

/// Puts a group of the running process' session into the foreground (TIOCSPGRP). `read` answers which one.
pub fn set_foreground(read: &mut dyn FnMut() -> Result<i32, Errno>) -> Result<(), Errno> {
    // Linux has this one error be another.
    may_change().map_err(|error| if error == Errno::EIO { Errno::ENOTTY } else { error })?;
    let group = u32::try_from(read()?).map_err(|_| Errno::EINVAL)?;
    check_ours()?;
    if ability::processes() {
        let session = FAMILIES.lock().session_of_group(group).ok_or(Errno::ESRCH)?;
        if session != process().session() {
            return Err(Errno::EPERM);
        }
        FOREGROUND.store(group, Relaxed);
    }
    Ok(())
}

/// A session's leader that has no terminal takes this one (TIOCSCTTY): EPERM for others. Where another session has it,
/// `steals` takes it away, with CAP_SYS_ADMIN.
pub fn take(steals: bool) -> Result<(), Errno> {
    let this = process();
    if !ability::processes() {
        return Ok(());
    }
    let (session, owner) = (this.session(), SESSION.load(Relaxed));
    let leads = session == this.id;
    if leads && owner == session {
        return Ok(());
    }
    if !leads || owner != 0 && !(steals && process::may(Capability::SysAdmin)) {
        return Err(Errno::EPERM);
    }
    this.kin().left_terminal.store(false, Relaxed);
    SESSION.store(session, Relaxed);
    FOREGROUND.store(this.group(), Relaxed);
    Ok(())
}

/// The running process has the terminal no longer (TIOCNOTTY). If it leads the session, nobody in that has it.
pub fn leave() -> Result<(), Errno> {
    check_ours()?;
    if !ability::processes() {
        return Ok(());
    }
    let this = process();
    if this.session() != this.id {
        this.kin().left_terminal.store(true, Relaxed);
    } else if this.id == table::FIRST {
        // To who started it, it is no leader: nobody is told.
        release(&[]);
    } else {
        release(&[SIGHUP, SIGCONT]);
    }
    Ok(())
}

/// The running process ends: with a session's leader, the group in the foreground loses its terminal.
pub fn leader_ends() {
    if SESSION.load(Relaxed) == process().id {
        release(&[SIGHUP]);
    }
}

/// The terminal is nobody's any more. The group in the foreground gets these signals.
fn release(sent: &[u8]) {
    let group = FOREGROUND.load(Relaxed);
    for &signal in sent {
        signals::send_to_group(group, SignalInformation::sent(signal, SI_KERNEL, 0, 0, 0));
    }
    SESSION.store(0, Relaxed);
    FOREGROUND.store(0, Relaxed);
}

/// Sends a signal that came by the terminal to the group in the foreground, and to the first process where that is
/// gone.
pub fn send(information: SignalInformation) {
    if ability::processes() {
        let group = FOREGROUND.load(Relaxed);
        let is_sent = signals::send_to_group(group, information);
        // Who continues the command means the program that it stands for.
        let continues = information.si_signo as u8 == SIGCONT && group != table::FIRST;
        if is_sent && !continues || information.si_signo as u8 == SIGTSTP {
            return;
        }
    }
    if let Some(process) = table::find(table::FIRST) {
        // A standard signal that finds no room waits already, or a thousand others do.
        let _ = signals::send_to_process(&process, information);
    }
}

/// Whether the running process may change the terminal now.
pub fn may_change() -> Result<(), Errno> {
    if ability::processes() { check(SIGTTOU) } else { Ok(()) }
}

/// Stops the running process' group by `signal` if it is in the background: ERESTARTSYS then. A process that blocks or
/// ignores the signal reads nothing (EIO) but is free to write; an orphaned group, whom nobody could continue, neither.
fn check(signal: u8) -> Result<(), Errno> {
    if !is_in_background() {
        return Ok(());
    }
    if is_passed_over(signal) {
        return if signal == SIGTTIN { Err(Errno::EIO) } else { Ok(()) };
    }
    let group = process().group();
    if is_orphaned(group) {
        return Err(Errno::EIO);
    }
    signals::send_to_group(group, SignalInformation::sent(signal, SI_KERNEL, 0, 0, 0));
    Err(Errno::ERESTARTSYS)
}

fn is_passed_over(signal: u8) -> bool {
    let blocks = thread_signals().blocked.contains(signal);
    blocks || process_signals().effect(signal) == Effect::Ignored
}

/// Whether nobody could continue a group. The first one is the job of whoever started the command, who can.
fn is_orphaned(group: u32) -> bool {
    group != table::FIRST && FAMILIES.lock().is_orphaned(group, 0)
}

/// Whether a signal that stops by default does nothing to the running process, for its group is orphaned.
pub fn is_passed_over_by_orphans(signal: u8) -> bool {
    ability::processes() && signal != SIGSTOP && is_orphaned(process().group())
}

/// The running process has been stopped by this signal. With the first one, the job of whoever started the command
/// stands still: when it goes on, it does so in the foreground.
pub fn tell_stopped(signal: u8) {
    if ability::processes() && process().id == table::FIRST && TELLS.load(Relaxed) {
        FOREGROUND.store(table::FIRST, Relaxed);
        contracts::console::job_control(Some(signal));
    }
}
