//! Contract `scheduler`: see [`sched::Scheduler`].

slot! { provide_scheduler: ::contracts::sched::Scheduler {
    /// See [`sched::Scheduler::capacity`].
    fn capacity() -> usize;
    /// See [`sched::Scheduler::processors`].
    fn processors() -> usize;
    /// See [`sched::Scheduler::set_processors`].
    fn set_processors(count: usize);
    /// See [`sched::Scheduler::add`].
    fn add(thread: ::contracts::sched::EntityRef, arrival: ::contracts::sched::Arrival, here: u32) -> ::contracts::sched::Placed;
    /// See [`sched::Scheduler::next`].
    fn next(processor: u32, leaving: ::core::option::Option<(::contracts::sched::EntityRef, ::contracts::sched::Leaving)>) -> ::contracts::sched::Next;
    /// See [`sched::Scheduler::turn`].
    fn turn(thread: ::contracts::sched::EntityRef) -> ::contracts::sched::EntityRef;
    /// See [`sched::Scheduler::slice_end`].
    fn slice_end(processor: u32) -> ::core::option::Option<u64>;
    /// See [`sched::Scheduler::set_parameters`].
    fn set_parameters(thread: ::contracts::sched::EntityRef, parameters: ::contracts::sched::Parameters) -> ::contracts::sched::Placed;
    /// See [`sched::Scheduler::set_affinity`].
    fn set_affinity(thread: ::contracts::sched::EntityRef, processors: u64, here: u32) -> ::contracts::sched::Placed;
    /// See [`sched::Scheduler::waiting`].
    fn waiting(processor: u32) -> usize;
} }

/// The image's clock, for schedulers that measure time.
#[derive(Debug)]
pub struct Monotonic;

impl ::sched::Time for Monotonic {
    fn now() -> u64 {
        crate::clock::monotonic()
    }
}
