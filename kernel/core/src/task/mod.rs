//! Threads: making them, choosing who runs, waiting.
//!
//! A thread is made by [`spawn`], started by [`start`], and ends by [`exit`]. It sleeps by [`park`] and wakes by
//! [`unpark`]; [`wait_until`] and the queues of `sync` are made of these. [`mod@schedule`] goes from one thread to the
//! next as the slot `scheduler` says. Everything per process is reached through [`current`].
//!
//! The kernel's own threads are [`KernelThread`]s, which have no address space; those of native applications are
//! functions ([`mod@function`]).

mod account;
mod alone;
mod blocking;
pub mod function;
mod idle;
mod kernel_stack;
mod kernel_thread;
mod look;
mod once;
mod parameters;
mod park;
mod raw;
mod registers;
mod schedule;
mod sleep;
mod space;
mod spawn;
mod stack;
mod thread;
mod trap_frame;
mod wait;
mod words;

pub use account::begin as count_processor_time;
pub use blocking::Threads;
pub use kernel_thread::{KernelThread, NotSpawned};
pub use look::{IsTold, Look, look_by};
pub use once::OnceValue;
pub use parameters::{affinity, parameters, set_affinity, set_parameters};
pub use park::{park, sleeps, unpark};
pub use raw::{RawMutex, RawReadWriteLock};
pub use schedule::{interrupt, yield_now};
pub use space::{replace_space, space, space_of};
pub use spawn::{enter_application, exit, processors, spawn, spawn_to_begin, start, start_first};
pub use thread::{Key, Resources, Thread, current, current_resources, try_current};
pub use trap_frame::{application_registers, change_application_registers, set_application_registers};
pub use wait::{Waited, breathe, outside, sleep_on, sleep_once, sleep_until, wait, wait_more, wait_until, waker};
pub use words::{private_word, word};

pub(crate) use idle::join;
pub(crate) use schedule::{preempt, preempt_if_told};
pub(crate) use space::let_go_of_left;
pub(crate) use wait::work;
