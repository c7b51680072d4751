//! Things that std cannot do safely: preparing a child between fork and exec, reading the cycle counter, asking who is
//! at the other end of a socket, and looking at signals before std changes what they do.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use nix::libc;
use nix::sys::ptrace::traceme;
use nix::sys::signal::{SigHandler, SigSet, SigmaskHow, Signal as Name, sigprocmask};
use rustix::io::{Errno, FdFlags, dup2, fcntl_setfd};
use rustix::process::{Signal, set_parent_process_death_signal};

/// Makes `command` start with `files` under the given descriptor numbers (all above 2), no signal blocked, and a
/// SIGKILL waiting for it should this process die first; and stopped before its first instruction, if this thread is to
/// trace it.
pub fn prepare(command: &mut Command, files: Vec<(OwnedFd, RawFd)>, traced: bool) {
    let prepare = move || {
        if traced {
            traceme()?;
        }
        sigprocmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::empty()), None)?;
        set_parent_process_death_signal(Some(Signal::KILL))?;
        place(&files)
    };
    // SAFETY: between fork and exec only async-signal-safe calls are allowed. `prepare` makes plain system calls
    // (ptrace, sigprocmask, prctl, dup2, fcntl), allocates nothing and takes no lock.
    unsafe { command.pre_exec(prepare) };
}

/// Has `command` start with the signals of a terminal heard, as a person's would: whoever began this process, CI or a
/// shell's background job, may have it ignore them, and what it starts inherits that.
pub fn hear_the_terminal(command: &mut Command) {
    let prepare = || {
        for signal in [Name::SIGHUP, Name::SIGINT, Name::SIGQUIT] {
            // SAFETY: the default is no handler of ours.
            unsafe { nix::sys::signal::signal(signal, SigHandler::SigDfl) }?;
        }
        Ok(())
    };
    // SAFETY: between fork and exec only async-signal-safe calls are allowed; this is sigaction(2), thrice.
    unsafe { command.pre_exec(prepare) };
}

/// Makes `command` start as nobody's child, in a session of its own, with no descriptors but the standard ones and no
/// signal blocked. What [`Command::spawn`] returns is a parent of it, which has ended.
pub fn detach(command: &mut Command) {
    let prepare = || {
        // SAFETY: this is a child with one thread, and the second child only makes system calls too.
        match unsafe { libc::fork() } {
            0 => {}
            // SAFETY: ends this child at once: nothing of its parent's runs in it.
            1.. => unsafe { libc::_exit(0) },
            _ => return Err(io::Error::last_os_error()),
        }
        rustix::process::setsid()?;
        sigprocmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::empty()), None)?;
        // SAFETY: descriptors are only marked as to be closed by exec(2), whoever owns them here.
        let marked = unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
        if marked == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    };
    // SAFETY: between fork and exec only async-signal-safe calls are allowed. `prepare` makes plain system calls (fork,
    // setsid, sigprocmask, close_range), allocates nothing and takes no lock.
    unsafe { command.pre_exec(prepare) };
}

/// The process and the user at the other end of a local socket (SO_PEERCRED in unix(7)); a process that this one cannot
/// see is 0.
pub fn peer(socket: impl AsFd) -> Result<(i32, u32), Errno> {
    let mut peer = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut length = size_of_val(&peer) as libc::socklen_t;
    let socket = socket.as_fd().as_raw_fd();
    // SAFETY: Linux stores at most `length` bytes, and any bytes are a `ucred`.
    let status = unsafe {
        libc::getsockopt(socket, libc::SOL_SOCKET, libc::SO_PEERCRED, (&raw mut peer).cast(), &raw mut length)
    };
    let whole = length as usize == size_of_val(&peer);
    if status == 0 && whole { Ok((peer.pid, peer.uid)) } else { Err(Errno::INVAL) }
}

/// Gives every file its number. Sources must not lie in the target numbers of others: [`out_of_the_way`] sees to it.
fn place(files: &[(OwnedFd, RawFd)]) -> io::Result<()> {
    for (file, number) in files {
        if file.as_raw_fd() == *number {
            fcntl_setfd(file, FdFlags::empty())?;
            continue;
        }
        // SAFETY: this is the child: nothing here owns descriptor `number`, which is one of ours to replace, and the
        // wrapper is not dropped.
        let mut target = std::mem::ManuallyDrop::new(unsafe { OwnedFd::from_raw_fd(*number) });
        dup2(file, &mut target)?;
    }
    Ok(())
}

/// Moves a file to a descriptor number of at least 10, so that the small numbers are free for [`prepare`].
pub fn out_of_the_way(file: impl AsFd) -> io::Result<OwnedFd> {
    Ok(rustix::io::fcntl_dupfd_cloexec(file, 10)?)
}

/// The processor's cycle counter.
#[must_use]
pub fn cycles() -> u64 {
    // SAFETY: every x86-64 processor has this instruction, and Linux lets programs use it.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// Of the signals in [`CHANGED`], those that were ignored when the command began: bit n - 1 stands for signal n.
static IGNORED: AtomicU64 = AtomicU64::new(0);

/// What the command changes for itself: std ignores SIGPIPE before `main`, and [`look_at_signals`] sees to SIGCHLD.
const CHANGED: [libc::c_int; 2] = [libc::SIGPIPE, libc::SIGCHLD];

/// The signals that the command changes for itself, and those of them that it found ignored: bit n - 1 stands for
/// signal n.
pub fn changed_signals() -> (u64, u64) {
    (CHANGED.into_iter().fold(0, |set, signal| set | 1 << (signal - 1)), IGNORED.load(Ordering::Relaxed))
}

/// Notes which of [`CHANGED`] are ignored, and takes SIGCHLD back: a child of who ignores it leaves no status to wait
/// for.
extern "C" fn look_at_signals() {
    for signal in CHANGED {
        let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: only asks, into memory of the right type, in which zeros are a valid value.
        let action = unsafe {
            libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
            action.assume_init()
        };
        if action.sa_sigaction == libc::SIG_IGN {
            IGNORED.fetch_or(1 << (signal - 1), Ordering::Relaxed);
        }
    }
    // SAFETY: no handler of anybody's goes: the command has no thread and no child yet.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
}

/// The C library calls what stands in this section before `main`, where std's own changes are still to come.
// SAFETY: the function has the C convention, ignores arguments, and uses nothing of std's that `main` would have to set
// up.
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = look_at_signals;
