//! The kernel as what runs on it sees it: the door of the image's application (`linux` for unmodified binaries, a
//! native main for Rust). The kernel core calls it; it stands above.

use crate::{Access, BootInfo, Context, Trap};

declaration::contract! {
    application = "the door by which an application with system calls enters the kernel";

    /// What the kernel core asks of the layer above it.
    pub trait Application: Sync {
        /// Starts the application on the boot thread. Every contract and the kernel core work now.
        fn start(&self, boot: BootInfo) -> !;

        /// See [`machine::Kernel::system_call`].
        #[expect(clippy::too_many_arguments, reason = "six words and the number, each in its register")]
        #[inline(always)]
        fn system_call(&self, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, number: usize) -> isize;

        /// See [`machine::Kernel::trap`]; page faults arrive here only when no region explains them.
        fn trap(&self, context: &mut Context, trap: Trap);

        /// A page that the application, or a copy for it, touched was not there and is now: for traces.
        fn page_resolved(&self, address: usize, access: Access);

        /// Pending work is done ([`Application::work`] has run); the application is about to go on: deliver signals.
        fn resuming(&self, context: &mut Context);

        /// Takes in what came from outside: signals of the console, expired timers. Called before the application goes
        /// on after an interruption, and whenever a waiting thread wakes. Must not wait.
        fn work(&self);

        /// No page is left for one that the application touched. Who is to give memory up is told; where nobody can,
        /// the machine ends, with a sentence for the person who started it. `true`: the access is to be tried again;
        /// `false`: it fails, because the running process ends, or because nobody may wait here.
        fn out_of_memory(&self) -> bool;
    }
}
