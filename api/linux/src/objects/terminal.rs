//! The console as the controlling terminal of a session: which group is in the foreground, and what becomes of the others
//! when they read (tty_ioctl(2), "Job control" of POSIX).

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use linux_abi::{
    Errno,
    constants::{SI_KERNEL, SIGTTIN, SIGTTOU},
    structures::SignalInformation,
};
use signal_state::Effect;
use vfs::FileError;

use crate::{
    objects::{
        ability,
        process::{kin::FAMILIES, process_signals, table, thread_signals},
        signals,
    },
    process,
};

/// The session that has the terminal; 0 if none has.
static SESSION: AtomicU32 = AtomicU32::new(table::FIRST);
/// The group in the foreground.
static FOREGROUND: AtomicU32 = AtomicU32::new(table::FIRST);

/// ENOTTY unless the terminal is that of the running process' session.
fn check_session() -> Result<(), Errno> {
    let is_ours = !ability::processes() || SESSION.load(Relaxed) == process().session();
    if is_ours { Ok(()) } else { Err(Errno::ENOTTY) }
}

/// The group in the foreground (TIOCGPGRP).
pub fn foreground() -> Result<u32, Errno> {
    check_session()?;
    Ok(FOREGROUND.load(Relaxed))
}

/// The session that has the terminal (TIOCGSID).
pub fn session() -> Result<u32, Errno> {
    check_session()?;
    Ok(SESSION.load(Relaxed))
}

/// Puts a group of the running process' session into the foreground (TIOCSPGRP). A process in the background is stopped
/// for it, unless it blocks or ignores SIGTTOU.
pub fn set_foreground(group: i32) -> Result<(), Errno> {
    check_session()?;
    let group = u32::try_from(group).map_err(|_| Errno::EINVAL)?;
    if !ability::processes() {
        return Ok(());
    }
    let theirs = FAMILIES.lock().session_of_group(group).ok_or(Errno::ESRCH)?;
    if theirs != process().session() {
        return Err(Errno::EPERM);
    }
    if is_in_background() && !is_passed_over(SIGTTOU) {
        stop_own_group(SIGTTOU)?;
        return Err(Errno::ERESTARTSYS);
    }
    FOREGROUND.store(group, Relaxed);
    Ok(())
}

/// A session's leader takes the terminal (TIOCSCTTY): EPERM for others, and where another session has it.
pub fn take() -> Result<(), Errno> {
    let this = process();
    if !ability::processes() || SESSION.load(Relaxed) == this.session() {
        return Ok(());
    }
    let is_free = SESSION.load(Relaxed) == 0;
    if this.session() != this.id || !is_free {
        return Err(Errno::EPERM);
    }
    SESSION.store(this.id, Relaxed);
    FOREGROUND.store(this.group(), Relaxed);
    Ok(())
}

/// The terminal is nobody's any more, if the running process leads the session that has it (TIOCNOTTY).
pub fn leave() -> Result<(), Errno> {
    check_session()?;
    if ability::processes() && process().session() == process().id {
        SESSION.store(0, Relaxed);
    }
    Ok(())
}

/// Sends a signal that came by the terminal to the group in the foreground, and to the first process where that is gone.
pub fn send(information: SignalInformation) {
    if ability::processes() && signals::send_to_group(FOREGROUND.load(Relaxed), information) {
        return;
    }
    if let Some(process) = table::find(table::FIRST) {
        // A standard signal that finds no room waits already, or a thousand others do.
        let _ = signals::send_to_process(&process, information);
    }
}

/// Whether the running process may read from the terminal: one in the background is stopped for it, and reads when it goes
/// on in the foreground; or fails, if nobody could have it go on.
pub fn may_read() -> Result<(), FileError> {
    if !ability::processes() || !is_in_background() {
        return Ok(());
    }
    if is_passed_over(SIGTTIN) || stop_own_group(SIGTTIN).is_err() {
        return Err(FileError::Failed);
    }
    Err(FileError::WouldBlock)
}

/// Whether the terminal is that of the running process' session, and another group is in its foreground.
fn is_in_background() -> bool {
    let this = process();
    SESSION.load(Relaxed) == this.session() && FOREGROUND.load(Relaxed) != this.group()
}

fn is_passed_over(signal: u8) -> bool {
    let blocks = thread_signals().blocked.contains(signal);
    blocks || process_signals().effect(signal) == Effect::Ignored
}

/// Sends a stopping signal to the running process' group: EIO if it is orphaned.
fn stop_own_group(signal: u8) -> Result<(), Errno> {
    let group = process().group();
    if FAMILIES.lock().is_orphaned(group, 0) && group != table::FIRST {
        return Err(Errno::EIO);
    }
    signals::send_to_group(group, SignalInformation::sent(signal, SI_KERNEL, 0, 0, 0));
    Ok(())
}
