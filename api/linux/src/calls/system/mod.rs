//! The machine as a program sees it: names, limits, scheduling, random bytes.

pub mod getcpu;
pub mod getpriority;
pub mod getrandom;
pub mod getrlimit;
pub mod ioprio_get;
pub mod ioprio_set;
pub mod personality;
pub mod prlimit64;
pub mod sched_get_priority_max;
pub mod sched_get_priority_min;
pub mod sched_getaffinity;
pub mod sched_getattr;
pub mod sched_getparam;
pub mod sched_getscheduler;
pub mod sched_rr_get_interval;
pub mod sched_setaffinity;
pub mod sched_setattr;
pub mod sched_setparam;
pub mod sched_setscheduler;
pub mod sched_yield;
pub mod setdomainname;
pub mod sethostname;
pub mod setpriority;
pub mod setrlimit;
pub mod sysinfo;
pub mod uname;
