//! Processes and threads: their ids, their end, what they wait for.

mod clone;
mod execute;
mod exit;
mod futex;
mod futex_waitv;
mod ids;
mod pidfd_open;
mod prctl;
mod robust_list;
mod thread;
mod unshare;
mod wait;

pub use clone::{clone, clone3, fork, vfork};
pub use execute::{execve, execveat};
pub use exit::{exit, exit_group};
pub use futex::futex;
pub use futex_waitv::futex_waitv;
pub use ids::{getpgid, getpgrp, getpid, getppid, getsid, gettid, setpgid, setsid};
pub use pidfd_open::pidfd_open;
pub use prctl::prctl;
pub use robust_list::{get_robust_list, set_robust_list};
pub use thread::{arch_prctl, membarrier, rseq, set_tid_address};
pub use unshare::unshare;
pub use wait::{wait4, waitid};

/// Says what is missing: there is one process.
fn no_second(call: &str) -> crate::Result {
    crate::objects::lacking::process(call);
    Err(crate::Errno::ENOSYS)
}
