//! The two things std cannot do safely: preparing a child between fork and exec, and reading the cycle counter.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;

use nix::sys::ptrace::traceme;
use nix::sys::signal::{SigSet, SigmaskHow, sigprocmask};
use rustix::io::{FdFlags, dup2, fcntl_setfd};
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
