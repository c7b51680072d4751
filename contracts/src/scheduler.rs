//! Contract `scheduler`: see [`sched::Scheduler`].

slot!(sched::scheduler, provide_scheduler);

/// The image's clock, for schedulers that measure time.
#[derive(Debug)]
pub struct Monotonic;

impl ::sched::Time for Monotonic {
    fn now() -> u64 {
        crate::clock::monotonic()
    }
}
