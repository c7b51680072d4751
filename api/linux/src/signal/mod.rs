//! Signals: signal(7).
//!
//! Signals are *sent* ([`mod@send`]) to the process or a thread, where they wait ([`mod@pending`]). A signal that is
//! not blocked ends the thread's waits and marks work as pending, so that on the way out of the kernel
//! [`mod@deliver`] acts on it: a handler's frame is built ([`mod@frame`]), the default action taken ([`mod@fatal`]),
//! or the signal dropped. Faults of the processor become signals in [`mod@fault`].

pub mod deliver;
pub mod fault;

mod arguments;
mod fatal;
mod frame;
mod mask;
mod pending;
mod restore;
mod send;
mod set;
mod state;
mod stop;

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

pub use arguments::{SET_SIZE, set as read_set, signal as checked};
pub use mask::masked;
pub use pending::{FROM_TIMER, MAX_PENDING, take};
pub use send::{forget_own, notice, raise, send_to_process, send_to_thread};
pub use set::SignalSet;
pub use state::{ProcessSignals, ThreadSignals};
