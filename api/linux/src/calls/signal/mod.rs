//! Sending, blocking and handling signals: signal(7).

mod kill;
mod mask;
mod pidfd_send_signal;
mod queue;
mod rt_sigaction;
mod stack;
mod wait;

pub use kill::{kill, tgkill, tkill};
pub use mask::{rt_sigpending, rt_sigprocmask};
pub use pidfd_send_signal::pidfd_send_signal;
pub use queue::{rt_sigqueueinfo, rt_tgsigqueueinfo};
pub use rt_sigaction::rt_sigaction;
pub use stack::{rt_sigreturn, sigaltstack};
pub use wait::{pause, rt_sigsuspend, rt_sigtimedwait};
