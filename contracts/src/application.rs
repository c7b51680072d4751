//! Contract `application`: the door through which the image's application enters the kernel (`linux` for unmodified
//! binaries, a native main for Rust). The kernel core calls it; it stands above.

/// What the kernel core asks of the layer above it.
pub trait Application: Sync {
    /// Starts the application on the boot thread. Every contract and the kernel core work now.
    fn start(&self, boot: ::contracts::machine::BootInfo) -> !;

    /// See [`machine::Kernel::system_call`].
    #[expect(clippy::too_many_arguments, reason = "six words and the number, each in its register")]
    fn system_call(&self, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, number: usize) -> isize;

    /// See [`machine::Kernel::trap`]; page faults arrive here only when no region explains them.
    fn trap(&self, context: &mut ::contracts::machine::Context, trap: ::contracts::machine::Trap);

    /// A page that the application, or a copy for it, touched was not there and is now: for traces.
    fn page_resolved(&self, address: usize, access: ::contracts::machine::Access);

    /// Pending work is done ([`Application::work`] has run); the application is about to go on: deliver signals.
    fn resuming(&self, context: &mut ::contracts::machine::Context);

    /// Takes in what came from outside: signals of the console, expired timers. Called before the application goes
    /// on after an interruption, and whenever a waiting thread wakes. Must not wait.
    fn work(&self);

    /// No page is left for a page the application touched: ends it, with a sentence for the person who started it.
    fn out_of_memory(&self) -> !;
}

slot! { provide_application: ::contracts::application::Application {
    /// See [`Application::start`].
    fn start(boot: ::contracts::machine::BootInfo) -> !;
    /// See [`Application::system_call`].
    fn system_call(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, number: usize) -> isize
        => inline(always);
    /// See [`Application::trap`].
    fn trap(context: &mut ::contracts::machine::Context, trap: ::contracts::machine::Trap);
    /// See [`Application::page_resolved`].
    fn page_resolved(address: usize, access: ::contracts::machine::Access);
    /// See [`Application::resuming`].
    fn resuming(context: &mut ::contracts::machine::Context);
    /// See [`Application::work`].
    fn work();
    /// See [`Application::out_of_memory`].
    fn out_of_memory() -> !;
} }
