//! Sending, blocking and handling signals: signal(7).

pub mod alarm;
pub mod getitimer;
pub mod kill;
pub mod pause;
pub mod pidfd_send_signal;
pub mod rt_sigaction;
pub mod rt_sigpending;
pub mod rt_sigprocmask;
pub mod rt_sigqueueinfo;
pub mod rt_sigreturn;
pub mod rt_sigsuspend;
pub mod rt_sigtimedwait;
pub mod rt_tgsigqueueinfo;
pub mod setitimer;
pub mod sigaltstack;
pub mod tgkill;
pub mod tkill;
