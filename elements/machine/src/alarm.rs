//! One alarm.

declaration::contract! {
    alarm = "one alarm, that interrupts when its time has come";

    /// A one-shot alarm on the contract `clock`'s time. There is no periodic tick: a kernel that waits for nothing sets
    /// none.
    pub trait Alarm: Sync {
        /// Asks for an interrupt when [`machine::Clock::monotonic`] reaches `deadline`; `None` takes an earlier wish
        /// back. An alarm in the past fires at once. The interrupt only marks work as pending: see
        /// [`machine::Kernel::interrupted`].
        fn set(&self, deadline: Option<u64>);
    }
}
