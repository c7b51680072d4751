//! Time: time(7). Clocks ([`mod@clock`]), sleeping, and timers: all kinds are a [`mod@ticker`] and who is told.

pub mod arguments;
pub mod clock;
pub mod interval;
pub mod notice;
mod sleep;
pub mod ticker;

pub mod clock_getres;
pub mod clock_gettime;
pub mod clock_nanosleep;
pub mod clock_settime;
pub mod getrusage;
pub mod gettimeofday;
pub mod nanosleep;
pub mod restart_syscall;
#[allow(clippy::module_inception)] // the system call is called as its family
pub mod time;
pub mod timer_create;
pub mod timer_delete;
pub mod timer_getoverrun;
pub mod timer_gettime;
pub mod timer_settime;
pub mod times;

pub use sleep::Sleep;
