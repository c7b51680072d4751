//! Signals sent to the command, as a file to poll.

use std::fs;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use nix::sys::signal::{SigSet, Signal as Name};
use nix::sys::signalfd::{SfdFlags, SignalFd};

use crate::child;
use crate::failure::{Doing, Failure};

/// Handed on to the program.
const FORWARDED: [Name; 8] = [
    Name::SIGINT,
    Name::SIGTERM,
    Name::SIGHUP,
    Name::SIGQUIT,
    Name::SIGWINCH,
    Name::SIGUSR1,
    Name::SIGUSR2,
    Name::SIGCONT,
];

/// Those of them that ask for the end; SIGHUP has many servers read their configuration again.
const ENDING: [Name; 3] = [Name::SIGINT, Name::SIGTERM, Name::SIGQUIT];

/// The code of signals that the kernel itself sends (`include/uapi/asm-generic/siginfo.h`).
const SI_KERNEL: i32 = 0x80;

/// Two SIGINT within this time end the machine.
const TWICE: Duration = Duration::from_secs(1);

/// The command's signals, blocked from here on and read instead.
#[derive(Debug)]
pub struct Signals {
    file: SignalFd,
    last_interrupt: Option<Instant>,
    /// The command was started with SIGINT ignored: then the second one ends nothing either.
    ignores_interrupts: bool,
    /// Somebody has asked for the end.
    asked_to_end: bool,
    /// What is to be done when that happens first.
    when_asked: Option<fn()>,
}

/// Who sent a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// A process, to this one or to its group.
    Process,
    /// The host's kernel for the terminal: to its whole foreground group, or to the leader of its session.
    Terminal,
}

/// Whether this signal, of those that are handed on, ends a program that does nothing about it.
#[must_use]
pub fn ends_a_program(number: u8) -> bool {
    let others = [Name::SIGWINCH, Name::SIGCONT];
    FORWARDED.iter().filter(|name| !others.contains(name)).any(|&name| name as i32 == i32::from(number))
}

/// Signals that the command was started with ignored (nohup(1), a script's background job): bit n - 1 stands for signal
/// n. Nothing, where the host does not tell.
#[must_use]
pub fn ignored_from_the_start() -> u64 {
    static IGNORED: LazyLock<u64> = LazyLock::new(|| {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let (changed, found) = child::changed_signals();
        ignored_by(&status) & !changed | found
    });
    *IGNORED
}

/// The line of `/proc/PID/status` about ignored signals (proc_pid_status(5)).
fn ignored_by(status: &str) -> u64 {
    set_of(status, "SigIgn:")
}

/// A line's set of signals.
fn set_of(status: &str, name: &str) -> u64 {
    let digits = status.lines().find_map(|line| line.strip_prefix(name));
    digits.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or(0)
}

/// Whether SIGCONT has come and was not taken yet. After a stop it has: nothing else continues a process.
#[must_use]
pub fn is_continued() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    set_of(&status, "ShdPnd:") >> (Name::SIGCONT as u8 - 1) & 1 != 0
}

/// Whether the command was started with this signal ignored.
#[must_use]
pub fn is_ignored_from_the_start(number: u8) -> bool {
    ignored_from_the_start() >> (number - 1) & 1 != 0
}

/// What to do about a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Hand this signal number on to the program.
    Forward(u8, Sender),
    /// The window changed; hand SIGWINCH on behind the new size.
    Window(Sender),
    /// Stop (Ctrl-Z) until SIGCONT.
    Stop(Sender),
    /// The second SIGINT: end the machine.
    End,
    /// A child changed its state.
    Child,
}

impl Signals {
    /// Begins to take signals.
    pub fn new() -> Result<Self, Failure> {
        let mut set = SigSet::empty();
        for signal in FORWARDED {
            set.add(signal);
        }
        set.add(Name::SIGCHLD);
        // Ctrl-Z is nothing to who ignores it, and so is nothing to us.
        if !is_ignored_from_the_start(Name::SIGTSTP as u8) {
            set.add(Name::SIGTSTP);
        }
        let file = SignalFd::with_flags(&set, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC).doing("watch signals")?;
        // Blocked but never read: setting the terminal from the background must not stop us, and writing to a broken
        // pipe is an answer of write(2).
        set.add(Name::SIGTTOU);
        set.add(Name::SIGPIPE);
        set.thread_block().doing("watch signals")?;
        let ignores_interrupts = is_ignored_from_the_start(Name::SIGINT as u8);
        Ok(Self { file, last_interrupt: None, ignores_interrupts, asked_to_end: false, when_asked: None })
    }

    /// Has something done as soon as somebody asks for the end.
    pub fn when_asked_to_end(&mut self, act: fn()) {
        self.when_asked = Some(act);
    }

    /// Whether a signal has come that asks a program to end, however it takes it.
    #[must_use]
    pub fn was_asked_to_end(&self) -> bool {
        self.asked_to_end
    }

    /// Takes one signal that came.
    pub fn take(&mut self) -> Option<Asked> {
        let information = self.file.read_signal().ok().flatten()?;
        let number = u8::try_from(information.ssi_signo).ok()?;
        let sender = if information.ssi_code == SI_KERNEL { Sender::Terminal } else { Sender::Process };
        let Ok(name) = Name::try_from(i32::from(number)) else { return Some(Asked::Forward(number, sender)) };
        if ENDING.contains(&name) && !std::mem::replace(&mut self.asked_to_end, true) {
            self.when_asked.into_iter().for_each(|act| act());
        }
        Some(match name {
            Name::SIGCHLD => Asked::Child,
            Name::SIGTSTP => Asked::Stop(sender),
            Name::SIGWINCH => Asked::Window(sender),
            Name::SIGINT => return Some(self.interrupt(Instant::now(), sender)),
            _ => Asked::Forward(number, sender),
        })
    }

    fn interrupt(&mut self, now: Instant, sender: Sender) -> Asked {
        match self.last_interrupt.replace(now) {
            Some(last) if now.duration_since(last) < TWICE && !self.ignores_interrupts => Asked::End,
            _ => Asked::Forward(Name::SIGINT as u8, sender),
        }
    }
}

impl AsFd for Signals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::signal::raise;

    #[test]
    fn ignored_signals_are_read_from_a_status() {
        assert_eq!(ignored_by("SigBlk:\t00000000000000ff\nSigIgn:\t0000000000001003\nSigCgt:\t1"), 0x1003);
        assert_eq!(set_of("SigPnd:\t0\nShdPnd:\t0000000000020000\nSigBlk:\t1", "ShdPnd:"), 1 << 17);
        for other in ["", "SigIgn:", "SigIgn:\tnone"] {
            assert_eq!(ignored_by(other), 0, "{other:?}");
        }
    }

    #[test]
    fn a_window_of_another_size_ends_nobody() {
        assert!([Name::SIGTERM, Name::SIGINT, Name::SIGUSR2].iter().all(|&name| ends_a_program(name as u8)));
        assert!(![Name::SIGWINCH, Name::SIGCONT, Name::SIGKILL].iter().any(|&name| ends_a_program(name as u8)));
    }

    #[test]
    fn signals_are_read_in_turn_and_the_second_interrupt_ends() {
        // Signals are blocked in this thread only, and `raise` sends to this thread.
        let mut signals = Signals::new().unwrap();
        // Whoever runs the tests may ignore it.
        signals.ignores_interrupts = false;
        assert_eq!(signals.take(), None);
        raise(Name::SIGUSR1).unwrap();
        assert_eq!(signals.take(), Some(Asked::Forward(10, Sender::Process)));
        raise(Name::SIGWINCH).unwrap();
        assert_eq!(signals.take(), Some(Asked::Window(Sender::Process)));
        assert!(!signals.was_asked_to_end());
        raise(Name::SIGINT).unwrap();
        assert_eq!(signals.take(), Some(Asked::Forward(2, Sender::Process)));
        assert!(signals.was_asked_to_end());
        let later = Instant::now() + TWICE;
        assert_eq!(signals.interrupt(later, Sender::Terminal), Asked::Forward(2, Sender::Terminal));
        assert_eq!(signals.interrupt(later + TWICE / 2, Sender::Terminal), Asked::End);
        signals.ignores_interrupts = true;
        assert_eq!(signals.interrupt(later + TWICE / 2, Sender::Terminal), Asked::Forward(2, Sender::Terminal));
    }
}
