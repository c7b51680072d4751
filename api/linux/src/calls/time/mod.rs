//! Clocks, sleeping and timers: time(7).

mod clock;
mod interval;
mod sleep;
mod timer;
mod usage;

pub use clock::{clock_getres, clock_gettime, clock_settime, gettimeofday, time};
pub use interval::{alarm, getitimer, setitimer};
pub use sleep::{clock_nanosleep, nanosleep, restart_syscall};
pub use timer::{timer_create, timer_delete, timer_getoverrun, timer_gettime, timer_settime};
pub use usage::{getrusage, times};
