//! The processor as the kernel sees it: whose turn it is, how to wait, what to save.

use core::sync::atomic::AtomicUsize;

use crate::{Context, ExtendedState, Fault};

/// An opaque word that the kernel keeps per processor: its current thread.
pub type ThreadHandle = usize;

/// Most processors that a machine may use: as many as a word has bits.
pub const MAX_PROCESSORS: usize = 64;

/// Per-processor state and the few instructions that portable kernel code cannot write.
pub trait Processor: Sync {
    /// The word last given to [`Processor::set_thread`] on this processor; 0 before.
    fn thread(&self) -> ThreadHandle;

    /// Sets the current thread and the top of its kernel stack (16-byte aligned).
    fn set_thread(&self, thread: ThreadHandle, kernel_stack_top: usize);

    /// The boot thread's kernel stack top, for the first [`Processor::set_thread`].
    fn boot_stack_top(&self) -> usize;

    /// This processor's number, below [`MAX_PROCESSORS`]; the one that boots is 0.
    fn number(&self) -> usize;

    /// How many processors there are for the kernel, whether they have been started or not.
    fn count(&self) -> usize;

    /// Whether there is one processor and never another. A constant of the provider, so that what guards against others
    /// is not in the image.
    fn is_alone(&self) -> bool {
        false
    }

    /// Starts the processors but this one; each calls [`crate::Kernel::join`]. The kernel asks once, when there is a
    /// second thread: a program that has one thread waits for none of them at boot.
    fn start_others(&self);

    /// As [`Processor::mark_pending`], for processor `number`, which leaves [`Processor::idle`] for it.
    fn notify(&self, number: usize);

    /// Comes back when every processor that runs the application has executed a full memory barrier, and forgotten the
    /// instructions it fetched before.
    fn synchronize(&self);

    /// Leaves this kernel stack, noting its stack pointer in `leaving`, and goes on with the one that `entering` is.
    /// Saves what a function must keep and nothing else. Returns when somebody enters this stack again, on whatever
    /// processor that is.
    ///
    /// The caller promises that `entering` was noted here or made by [`Processor::first_frame`], and that nobody runs
    /// on that stack.
    fn switch(&self, leaving: &AtomicUsize, entering: usize);

    /// Prepares the kernel stack of [`crate::KernelMemory::allocate_stack`] whose top is `stack_top`: a switch to the answer
    /// calls `start` on it, below the room for the application's registers.
    fn first_frame(&self, stack_top: usize, start: extern "C" fn() -> !) -> usize;

    /// Saves the live vector state to `area`, which is as long as [`ExtendedState`] says, is aligned to 64 bytes, and
    /// was all zeros when it was new.
    fn store_vectors(&self, area: &mut [u8]);

    /// Loads what [`Processor::store_vectors`] saved.
    fn load_vectors(&self, area: &[u8]);

    /// Leaves the kernel for the application in `context`, from an empty kernel stack; pending work is done first.
    fn enter(&self, context: &Context) -> !;

    /// Puts `context` in the room for the application's registers of a kernel stack that nobody runs on, whose top is
    /// `stack_top`.
    fn lay(&self, stack_top: usize, context: &Context);

    /// As [`Processor::enter`], with what [`Processor::lay`] has put on the stack of the thread that runs.
    fn enter_laid(&self) -> !;

    /// Waits for the next interrupt: device, alarm or signal. Returns at once if work is already pending, and takes
    /// the pending mark away. May return early.
    fn idle(&self);

    /// Makes [`crate::Kernel::interrupted`] or [`crate::Kernel::resuming`] run before this processor next enters the
    /// application.
    fn mark_pending(&self);

    /// The application's thread pointer (FS base on x86-64).
    fn thread_pointer(&self) -> usize;

    /// Sets the application's thread pointer; `false` if the address is not canonical.
    fn set_thread_pointer(&self, address: usize) -> bool;

    /// How the application's vector state is saved here.
    fn extended_state(&self) -> ExtendedState;

    /// Saves the live vector state to the application's memory at `address` (aligned as [`ExtendedState`] says), in
    /// the machine's standard form (XSAVE or FXSAVE).
    fn save_extended(&self, address: usize) -> Result<(), Fault>;

    /// Loads vector state from the application's memory; refuses what the machine would fault on.
    fn restore_extended(&self, address: usize) -> Result<(), Fault>;

    /// The floating-point exceptions that are raised and not masked, as the six bits of the x87 status word and of
    /// MXCSR: invalid, denormal, division by zero, overflow, underflow, inexact. `vector` says which of the two units
    /// trapped (16 x87, 19 SIMD).
    fn floating_point_exceptions(&self, vector: u8) -> u8;

    /// Puts vector state as a new program finds it.
    fn reset_extended(&self);

    /// The word a program finds in AT_HWCAP (CPUID 1, EDX on x86-64) and AT_HWCAP2.
    fn hardware_capabilities(&self) -> [usize; 2];

    /// A name and description of the processor for `/proc/cpuinfo`, as lines of `key\t: value`.
    fn describe(&self, out: &mut dyn core::fmt::Write) -> core::fmt::Result;

    /// A counter of cycles (or of instructions, under an emulator that counts them).
    fn cycles(&self) -> u64;
}
