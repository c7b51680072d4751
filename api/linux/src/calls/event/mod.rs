//! Waiting for descriptors, and what is only there to be waited for: poll(2), epoll(7), eventfd(2).

mod epoll;
mod eventfd;
mod poll;
mod select;
mod signalfd;
mod timerfd;

pub use epoll::{epoll_create, epoll_create1, epoll_ctl, epoll_pwait, epoll_pwait2, epoll_wait};
pub use eventfd::{eventfd, eventfd2};
pub use poll::{poll, ppoll};
pub use select::{pselect6, select};
pub use signalfd::{signalfd, signalfd4};
pub use timerfd::{timerfd_create, timerfd_gettime, timerfd_settime};
