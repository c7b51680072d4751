//! Schedulers: which thread runs next, on which processor, and for how long. The trait and its policies.
//!
//! A [`Policy`] is one processor's queue: [`fifo`], [`round_robin`], [`fair`], [`priority`]. [`Queues`] makes a
//! scheduler for several processors of it: a queue and a lock for each, threads placed on idle processors first,
//! stealing by those that run dry, affinity. [`RunToCompletion`] is the scheduler of images with one thread.
//!
//! What a scheduler keeps of a thread is an [`Entity`] inside the kernel's own thread, so nothing is ever allocated:
//! the links of a queue, what the program says about the thread ([`Parameters`]), and [`WORDS`] numbers of the policy's
//! own. So a policy in another crate has per-thread state as those here have it. Its calls are made with interrupts
//! off.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

mod entity;
pub mod fair;
pub mod fifo;
mod idle;
#[cfg(all(test, loom))]
mod model;
mod parameters;
mod policy;
pub mod priority;
mod queues;
pub mod round_robin;
mod run_to_completion;
#[cfg(all(test, not(loom)))]
mod tests;

pub use intrusive;

use intrusive::Ref;

pub use entity::{Entity, WORDS};
pub use parameters::{Class, Parameters};
pub use policy::{Policy, Time};
pub use queues::Queues;
pub use run_to_completion::RunToCompletion;

/// Threads run until they yield or wait, in the order in which they became runnable.
pub type Fifo<const PROCESSORS: usize> = Queues<fifo::Queue, PROCESSORS>;

/// Threads run in turns, each for at most `SLICE` microseconds while others wait.
pub type RoundRobin<T, const PROCESSORS: usize, const SLICE: u64> = Queues<round_robin::Queue<T, SLICE>, PROCESSORS>;

/// Threads share the time by their nice values, in slices of `SLICE` microseconds.
pub type Fair<T, const PROCESSORS: usize, const SLICE: u64> = Queues<fair::Queue<T, SLICE>, PROCESSORS>;

/// Threads run by priority, as POSIX has it; below them is a band with the policy `B`.
pub type Priority<B, T, const PROCESSORS: usize, const SLICE: u64> = Queues<priority::Queue<B, T, SLICE>, PROCESSORS>;

/// A thread's entity. The maker of the reference vouches that the thread lives and stays in its place until the
/// scheduler has let go of it: from [`Scheduler::add`] until [`Scheduler::next`] was told that it ended.
pub type EntityRef = Ref<Entity>;

/// How a thread comes to be runnable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It was made just now.
    New,
    /// It waited for something that has happened.
    Woken,
    /// It comes from another processor's queue. Schedulers say this to their policies, nobody to a scheduler.
    Moved,
}

/// How the thread stands that ran until now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// It is runnable and lets others go first.
    Yielded,
    /// It is runnable and was interrupted: its slice is over, or a better one came.
    Preempted,
    /// It waits for something; [`Scheduler::add`] brings it back.
    Blocked,
    /// It is no more.
    Ended,
}

/// What a processor has to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Nothing.
    None,
    /// To have a look: if it idles, to ask for its [`Scheduler::next`]; else for its [`Scheduler::slice_end`], which
    /// may be earlier now.
    Look,
    /// To interrupt what it runs: [`Leaving::Preempted`].
    Preempt,
}

/// Which processor a change concerns, and what it has to be told (the processor that is here included).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The processor.
    pub processor: u32,
    /// What it has to be told.
    pub notice: Notice,
}

/// A processor's next thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// The thread to run; `None`: there is nothing to do.
    pub thread: Option<EntityRef>,
    /// Other processors that idle and now would find something to do: bit n says [`Notice::Look`] to processor n.
    pub wake: u64,
}

declaration::contract! {
    scheduler = "which thread runs next, on which processor, and for how long";

    /// Decides which thread runs where, and for how long. Processors are numbered from 0; times are nanoseconds of the
    /// monotonic clock.
    ///
    /// Two rules for kernels with more than one processor, where a thread can be found by another processor at once:
    /// what [`Scheduler::next`] returns may still be on its way off the processor that it ran on, so the switch waits
    /// until its registers are stored, having stored those of the leaving thread first; and a thread that blocks is
    /// given to [`Scheduler::add`] only when it has been switched away from.
    pub trait Scheduler: Sync {
        /// How many threads it can keep at a time.
        fn capacity(&self) -> usize;

        /// The most processors it can serve.
        fn processors(&self) -> usize {
            1
        }

        /// Says how many processors there are, of those it can serve: no thread is placed elsewhere from now on. They
        /// become more, not fewer; as long as nobody says it, all are there.
        fn set_processors(&self, count: usize) {
            let _ = count;
        }

        /// A thread became runnable: chooses a processor for it (of those it may run on: one that idles; else the one
        /// with the fewest waiting) and queues it there. `here` is the calling processor.
        fn add(&self, thread: EntityRef, arrival: Arrival, here: u32) -> Placed;

        /// The processor's next thread. `leaving` is the one that ran and how it stands; `None`: the processor was
        /// idle. A leaving thread that is runnable may be returned again. Takes from other processors' queues when its
        /// own is empty.
        fn next(&self, processor: u32, leaving: Option<(EntityRef, Leaving)>) -> Next;

        /// The thread that runs on the one processor lets others go first: who goes on. As [`Scheduler::next`] of a
        /// thread that yields, for schedulers with one processor, where it is the whole of a switch's decision.
        fn turn(&self, thread: EntityRef) -> EntityRef {
            self.next(0, Some((thread, Leaving::Yielded))).thread.unwrap_or(thread)
        }

        /// When to interrupt the thread that runs there; `None`: it may run on (it is alone, or nobody is interrupted).
        /// Changes with every [`Scheduler::next`] of the processor and every [`Notice`] to it.
        fn slice_end(&self, processor: u32) -> Option<u64>;

        /// Sets a thread's class, priority and nice value, whether it is runnable or not.
        fn set_parameters(&self, thread: EntityRef, parameters: Parameters) -> Placed;

        /// Sets the processors that a thread may run on: bit n is processor n. A mask without any of them means all.
        fn set_affinity(&self, thread: EntityRef, processors: u64, here: u32) -> Placed;

        /// How many threads wait in the processor's queue, without the one that runs.
        fn waiting(&self, processor: u32) -> usize;
    }
}
