//! Contract `processor`: see [`machine::Processor`].

slot! { provide_processor: ::contracts::machine::Processor {
    /// See [`machine::Processor::thread`].
    fn thread() -> ::contracts::machine::ThreadHandle;
    /// See [`machine::Processor::set_thread`].
    fn set_thread(thread: ::contracts::machine::ThreadHandle, kernel_stack_top: usize);
    /// See [`machine::Processor::boot_stack_top`].
    fn boot_stack_top() -> usize;
    /// See [`machine::Processor::number`].
    fn number() -> usize;
    /// See [`machine::Processor::count`].
    fn count() -> usize;
    /// See [`machine::Processor::is_alone`].
    fn is_alone() -> bool;
    /// See [`machine::Processor::start_others`].
    fn start_others();
    /// See [`machine::Processor::notify`].
    fn notify(number: usize);
    /// See [`machine::Processor::synchronize`].
    fn synchronize();
    /// See [`machine::Processor::enter`].
    fn enter(context: &::contracts::machine::Context) -> !;
    /// See [`machine::Processor::lay`].
    fn lay(stack_top: usize, context: &::contracts::machine::Context);
    /// See [`machine::Processor::enter_laid`].
    fn enter_laid() -> !;
    /// See [`machine::Processor::idle`].
    fn idle();
    /// See [`machine::Processor::mark_pending`].
    fn mark_pending();
    /// See [`machine::Processor::thread_pointer`].
    fn thread_pointer() -> usize;
    /// See [`machine::Processor::set_thread_pointer`].
    fn set_thread_pointer(address: usize) -> bool;
    /// See [`machine::Processor::save_extended`].
    fn save_extended(address: usize) -> ::core::result::Result<(), ::contracts::machine::Fault>;
    /// See [`machine::Processor::restore_extended`].
    fn restore_extended(address: usize) -> ::core::result::Result<(), ::contracts::machine::Fault>;
    /// See [`machine::Processor::hardware_capabilities`].
    fn hardware_capabilities() -> [usize; 2];
    /// See [`machine::Processor::describe`].
    fn describe(out: &mut dyn ::core::fmt::Write) -> ::core::fmt::Result;
} }
