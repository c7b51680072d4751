//! Descriptors: opening, duplicating, controlling, waiting.

mod block;
mod range_locks;
mod select_sets;

pub mod close;
pub mod close_range;
pub mod creat;
pub mod dup;
pub mod dup2;
pub mod dup3;
pub mod epoll_create;
pub mod epoll_create1;
pub mod epoll_ctl;
pub mod epoll_pwait;
pub mod epoll_pwait2;
pub mod epoll_wait;
pub mod eventfd;
pub mod eventfd2;
pub mod fcntl;
pub mod flock;
pub mod ioctl;
pub mod memfd_create;
pub mod open;
pub mod openat;
pub mod openat2;
pub mod pipe;
pub mod pipe2;
pub mod poll;
pub mod ppoll;
pub mod pselect6;
pub mod select;
pub mod signalfd;
pub mod signalfd4;
pub mod timerfd_create;
pub mod timerfd_gettime;
pub mod timerfd_settime;
