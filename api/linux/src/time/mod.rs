//! Time: time(7). Clocks, sleeping, the interval timer.

pub mod arguments;
mod clocks;
mod real_timer;
mod sleep;

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
pub mod times;

pub use real_timer::{REAL_TIMER, RealTimer};
pub use sleep::Sleep;
