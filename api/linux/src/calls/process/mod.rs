//! Processes and threads: their ids, their end, what they wait for.

pub mod arch_prctl;
pub mod clone;
pub mod clone3;
pub mod execve;
pub mod execveat;
pub mod exit;
pub mod exit_group;
pub mod fork;
pub mod futex;
pub mod futex_waitv;
pub mod get_robust_list;
pub mod getpgid;
pub mod getpgrp;
pub mod getpid;
pub mod getppid;
pub mod getsid;
pub mod gettid;
mod group;
pub mod membarrier;
pub mod pidfd_open;
pub mod prctl;
pub mod rseq;
pub mod set_robust_list;
pub mod set_tid_address;
pub mod setpgid;
pub mod setsid;
pub mod unshare;
pub mod vfork;
pub mod wait4;
pub mod waitid;

/// Says what is missing: there is one process.
fn no_second(call: &str) -> crate::Result {
    crate::objects::lacking::process(call);
    Err(crate::Errno::ENOSYS)
}
