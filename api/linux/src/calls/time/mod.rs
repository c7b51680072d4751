//! Clocks, sleeping and timers: time(7).

pub mod clock_getres;
pub mod clock_gettime;
pub mod clock_nanosleep;
pub mod clock_settime;
pub mod getrusage;
pub mod gettimeofday;
pub mod nanosleep;
pub mod restart_syscall;
#[expect(clippy::module_inception, reason = "a file has the name of its system call")]
pub mod time;
pub mod timer_create;
pub mod timer_delete;
pub mod timer_getoverrun;
pub mod timer_gettime;
pub mod timer_settime;
pub mod times;
