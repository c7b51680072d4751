//! The machine as a program sees it: names, limits, scheduling, random bytes.

mod getrandom;
mod ioprio;
mod limits;
mod names;
mod personality;
mod policy;
mod priority;
mod schedule;
mod sysinfo;

pub use getrandom::getrandom;
pub use ioprio::{ioprio_get, ioprio_set};
pub use limits::{getrlimit, prlimit64, setrlimit};
pub use names::{setdomainname, sethostname, uname};
pub use personality::personality;
pub use policy::{
    sched_getattr, sched_getparam, sched_getscheduler, sched_setattr, sched_setparam, sched_setscheduler,
};
pub use priority::{getpriority, setpriority};
pub use schedule::{
    getcpu, sched_get_priority_max, sched_get_priority_min, sched_getaffinity, sched_rr_get_interval,
    sched_setaffinity, sched_yield,
};
pub use sysinfo::sysinfo;
