//! Controlling terminals of sessions, the console and pseudo-terminals: which group is in the foreground, and what
//! becomes of the others when they read, write or change it (tty_ioctl(2), "Job control" of POSIX, Linux'
//! `drivers/tty/tty_jobctrl.c`).
//!
//! Keys of the console become signals at the host's terminal, which is the one that the program sees. Who stops is
//! decided here. When that is the first process, the command stops too, so that the shell that started it has the
//! terminal back.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use fs::{
    console::CONTROL as CONSOLE,
    jobs::{Jobs, Signal},
    pseudo_terminals,
};
use identity::Capability;
use linux_abi::{
    Errno,
    constants::{SI_KERNEL, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGWINCH},
    structures::SignalInformation,
};
use signal_state::Effect;
use vfs::{Control, FileError, Owner};

use crate::{
    Process,
    objects::{
        ability,
        process::{self, kin::FAMILIES, process_signals, table, thread_signals},
        signals,
    },
    process,
};

/// The command is told when the first process stops.
static TELLS: AtomicBool = AtomicBool::new(false);

/// The first process begins. Where it has a terminal, Ctrl-Z is answered here from now on.
pub fn begin() {
    fs::jobs::provide(&Running);
    if fs::console::begin() {
        TELLS.store(true, Relaxed);
        contracts::console::job_control(None);
    }
}

/// What the terminal asks about the running process.
struct Running;

impl Jobs for Running {
    fn may_read(&self, terminal: &Control) -> Result<(), FileError> {
        check(terminal, SIGTTIN).map_err(file_error)
    }

    fn may_write(&self, terminal: &Control) -> Result<(), FileError> {
        check(terminal, SIGTTOU).map_err(file_error)
    }

    fn is_in_background(&self, terminal: &Control) -> bool {
        is_in_background(terminal)
    }

    fn has_terminal(&self, terminal: &Control) -> bool {
        has_terminal(terminal)
    }

    fn session(&self) -> u32 {
        process().session()
    }

    fn owner(&self) -> Owner {
        let identity = crate::objects::process::identity();
        Owner { user: identity.user.file, group: identity.group.file }
    }

    fn signal(&self, terminal: &Control, signal: Signal) {
        let number = match signal {
            Signal::Interrupt => SIGINT,
            Signal::Quit => SIGQUIT,
            Signal::Suspend => SIGTSTP,
            Signal::WindowChange => SIGWINCH,
        };
        send_to_foreground(terminal, number);
    }

    fn hang_up(&self, terminal: &Control) {
        let leader = table::find(terminal.session());
        terminal.take();
        // A standard signal that finds no room waits already.
        for signal in leader.iter().flat_map(|leader| [SIGHUP, SIGCONT].map(|signal| (leader, signal))) {
            let _ = signals::send_to_process(signal.0, kernel_signal(signal.1));
        }
    }
}

fn kernel_signal(signal: u8) -> SignalInformation {
    SignalInformation::sent(signal, SI_KERNEL, 0, 0, 0)
}

/// Sends the group in the foreground a signal of the kernel's.
pub fn send_to_foreground(terminal: &Control, signal: u8) {
    let group = terminal.foreground();
    if group != 0 {
        signals::send_to_group(group, kernel_signal(signal));
    }
}

/// A call that a signal interrupts waits for it; it is made again when the process goes on.
fn file_error(error: Errno) -> FileError {
    if error == Errno::ERESTARTSYS { FileError::WouldBlock } else { FileError::Failed }
}

/// Whether a terminal is that of the running process' session, and it has not given it up.
fn has_terminal(terminal: &Control) -> bool {
    let this = process();
    terminal.session() == this.session() && !this.kin().left_terminal.load(Relaxed)
}

/// Whether the running process has the terminal, and another group is in its foreground.
fn is_in_background(terminal: &Control) -> bool {
    let foreground = terminal.foreground();
    foreground != process().group() && foreground != 0 && has_terminal(terminal)
}

/// ENOTTY unless the terminal is the running process'.
fn check_ours(terminal: &Control) -> Result<(), Errno> {
    if !ability::processes() || has_terminal(terminal) { Ok(()) } else { Err(Errno::ENOTTY) }
}

/// Does `work` with the terminal of a session, if it has one.
fn of_session<R>(session: u32, work: impl FnOnce(&Control) -> R) -> Option<R> {
    if CONSOLE.session() == session {
        return Some(work(&CONSOLE));
    }
    pseudo_terminals::of_session(session).map(|pair| work(pair.control()))
}

/// The number of a process' terminal, 0 without one, and the group in its foreground.
pub fn shown(process: &Process) -> (u32, Option<u32>) {
    let session = process.session();
    let has = !ability::processes() || !process.kin().left_terminal.load(Relaxed);
    if has && CONSOLE.session() == session {
        let (major, minor) = fs::console::CONSOLE;
        return (major << 8 | minor, Some(CONSOLE.foreground()));
    }
    let pair = pseudo_terminals::of_session(session).filter(|_| has);
    pair.map_or((0, None), |pair| (device(pair.number()), Some(pair.control().foreground())))
}

/// A slave's number as one, as Linux encodes it (`new_encode_dev`).
const fn device(number: u32) -> u32 {
    number & 0xff | pseudo_terminals::SLAVES << 8 | (number & !0xff) << 12
}

/// The group in the foreground of a terminal (TIOCGPGRP). Whoever drives a pseudo-terminal may ask, too.
pub fn foreground(terminal: &Control, drives: bool) -> Result<u32, Errno> {
    if !drives {
        check_ours(terminal)?;
    }
    Ok(terminal.foreground())
}

/// The session that has the terminal (TIOCGSID). Whoever drives a pseudo-terminal may ask, too.
pub fn session(terminal: &Control, drives: bool) -> Result<u32, Errno> {
    if !drives {
        check_ours(terminal)?;
    }
    Some(terminal.session()).filter(|&session| session != 0).ok_or(Errno::ENOTTY)
}

/// Puts a group of the running process' session into the foreground (TIOCSPGRP). `read` answers which one.
pub fn set_foreground(terminal: &Control, read: &mut dyn FnMut() -> Result<i32, Errno>) -> Result<(), Errno> {
    // Linux has this one error be another.
    may_change(terminal).map_err(|error| if error == Errno::EIO { Errno::ENOTTY } else { error })?;
    let group = u32::try_from(read()?).map_err(|_| Errno::EINVAL)?;
    check_ours(terminal)?;
    if ability::processes() {
        let session = FAMILIES.lock().session_of_group(group).ok_or(Errno::ESRCH)?;
        if session != process().session() {
            return Err(Errno::EPERM);
        }
        terminal.set_foreground(group);
    }
    Ok(())
}

/// A session's leader that has no terminal takes this one (TIOCSCTTY): EPERM for others. Where another session has it,
/// `steals` takes it away, with CAP_SYS_ADMIN.
pub fn take(terminal: &Control, steals: bool) -> Result<(), Errno> {
    let this = process();
    if !ability::processes() {
        return Ok(());
    }
    let (session, owner) = (this.session(), terminal.session());
    let leads = session == this.id;
    if leads && owner == session {
        return Ok(());
    }
    if !leads || of_session(session, |_| ()).is_some() || owner != 0 && !(steals && process::may(Capability::SysAdmin))
    {
        return Err(Errno::EPERM);
    }
    this.kin().left_terminal.store(false, Relaxed);
    terminal.give(session, this.group());
    Ok(())
}

/// The running process opens a terminal: who leads a session without one has it from now on.
pub fn opened(terminal: &Control) {
    let this = process();
    let leads = ability::processes() && this.session() == this.id;
    if leads && terminal.session() == 0 {
        // Who has one keeps it.
        let _ = take(terminal, false);
    }
}

/// The running process has the terminal no longer (TIOCNOTTY). If it leads the session, nobody in that has it.
pub fn leave(terminal: &Control) -> Result<(), Errno> {
    check_ours(terminal)?;
    if !ability::processes() {
        return Ok(());
    }
    let this = process();
    if this.session() != this.id {
        this.kin().left_terminal.store(true, Relaxed);
    } else if this.id == table::FIRST {
        // To who started it, it is no leader: nobody is told.
        terminal.take();
    } else {
        release(terminal, &[SIGHUP, SIGCONT]);
    }
    Ok(())
}

/// The running process ends: with a session's leader, the group in the foreground loses its terminal.
pub fn leader_ends() {
    let this = process();
    if this.session() != this.id {
        return;
    }
    if CONSOLE.session() == this.id {
        release(&CONSOLE, &[SIGHUP]);
    } else if let Some(pair) = pseudo_terminals::of_session(this.id) {
        release(pair.control(), &[SIGHUP]);
    }
}

/// The terminal is nobody's any more. The group in the foreground gets these signals.
fn release(terminal: &Control, sent: &[u8]) {
    for &signal in sent {
        send_to_foreground(terminal, signal);
    }
    terminal.take();
}

/// Sends a signal that came by the console to the group in the foreground, and to the first process where that is
/// gone.
pub fn send(information: SignalInformation) {
    if ability::processes() {
        let group = CONSOLE.foreground();
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
pub fn may_change(terminal: &Control) -> Result<(), Errno> {
    if ability::processes() { check(terminal, SIGTTOU) } else { Ok(()) }
}

/// Stops the running process' group by `signal` if it is in the background: ERESTARTSYS then. A process that blocks or
/// ignores the signal reads nothing (EIO) but is free to write; an orphaned group, whom nobody could continue, neither.
fn check(terminal: &Control, signal: u8) -> Result<(), Errno> {
    if !is_in_background(terminal) {
        return Ok(());
    }
    if is_passed_over(signal) {
        return if signal == SIGTTIN { Err(Errno::EIO) } else { Ok(()) };
    }
    let group = process().group();
    if is_orphaned(group) {
        return Err(Errno::EIO);
    }
    signals::send_to_group(group, kernel_signal(signal));
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
        CONSOLE.set_foreground(table::FIRST);
        contracts::console::job_control(Some(signal));
    }
}
