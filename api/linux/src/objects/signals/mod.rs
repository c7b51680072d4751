//! Signals: signal(7).
//!
//! Signals are *sent* ([`mod@send`]) to the process or a thread, where they wait ([`signal_state`]). A
//! signal that is not blocked ends the thread's waits and marks work as pending, so that on the way out of the kernel
//! [`mod@crate::entry::deliver`] acts on it: a handler's frame is built ([`mod@frame`]), the default action taken
//! ([`mod@crate::entry::fatal`]), or the signal dropped. Faults of the processor become signals in
//! [`mod@crate::entry::fault`].

pub mod arguments;
pub mod child;
pub mod frame;
pub mod mask;
pub mod restore;
pub mod send;
pub mod stop;
pub mod take;

pub use arguments::{set as read_set, signal as checked};
pub use child::tell_of_child;
pub use mask::masked;
pub use send::{
    force, forget_own, may_send, notice, raise, send_to_group, send_to_process, send_to_thread, sleep_until,
};
pub use take::{take, take_unblocked};
