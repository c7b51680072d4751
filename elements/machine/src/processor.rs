//! The processor as far as machines differ: whose turn it is, how to wait, how to leave for the application.
//! Instructions that are the same in each machine are no matter of a slot: callers name them (`architecture/`).

use crate::{Context, Fault, Handler};

/// An opaque word that the kernel keeps per processor: its current thread.
pub type ThreadHandle = usize;

/// Two opaque words that the kernel keeps per processor beside the current thread, because each system call asks for
/// them: what the layer above gave that thread, and the key that opens it. Zeros for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadResources {
    /// The key.
    pub key: usize,
    /// What it opens.
    pub block: usize,
}

/// Most processors that a machine may use: as many as a word has bits.
pub const MAX_PROCESSORS: usize = 64;

/// Bytes at the top of a kernel stack for the application's registers, in whole 16: [`Processor::lay`] fills them, and
/// what runs on the stack begins below.
pub const CONTEXT_ROOM: usize = size_of::<Context>().next_multiple_of(16);

/// Where a stub of the application's enters the kernel. The call goes on at the address in r11; all registers but this
/// and rcx are as the instruction `syscall` would find them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallEntries {
    /// For any call.
    pub any: usize,
    /// For calls without arguments that are answered at once: nobody looks at a register, nobody sleeps, and no work
    /// comes of them.
    pub brief: usize,
    /// For any call of code that is no stub: the program's own, which was compiled to call. It need not know of
    /// interrupts. The two bytes before the address in r11 are an instruction that begins the call anew: a call is made
    /// again there, and a signal that comes before it has begun finds the program there.
    pub open: usize,
    /// Whether interrupts have to be off there, but for `open`.
    pub masked: bool,
    /// For the instruction `cpuid` (x86-64), where the processor takes long to answer it: leaf and subleaf are in eax
    /// and edx, and the application goes on at the address in rbx. With it, what the processor takes: ticks of the time
    /// stamp counter. `None` where there is no such entry.
    pub cpuid: Option<(usize, u64)>,
}

declaration::contract! {
    processor = "entering a program with system calls, its registers, idling";

    /// Per-processor state and the few instructions that portable kernel code cannot write.
    pub trait Processor: Sync {
        /// The word last given to [`Processor::set_thread`] on this processor; 0 before.
        fn thread(&self) -> ThreadHandle;

        /// The words last given to [`Processor::set_thread`] beside it; zeros before, and in an image that has no
        /// application.
        fn resources(&self) -> ThreadResources;

        /// Sets the current thread, what the layer above gave it, and the top of its kernel stack (16-byte aligned).
        fn set_thread(&self, thread: ThreadHandle, resources: ThreadResources, kernel_stack_top: usize);

        /// The boot thread's kernel stack top, for the first [`Processor::set_thread`].
        fn boot_stack_top(&self) -> usize;

        /// This processor's number, below [`MAX_PROCESSORS`]; the one that boots is 0.
        fn number(&self) -> usize;

        /// How many processors there are for the kernel, whether they have been started or not.
        fn count(&self) -> usize;

        /// Whether there is one processor and never another. A constant of the provider, so that what guards against
        /// others is not in the image.
        fn is_alone(&self) -> bool {
            false
        }

        /// Starts the processors but this one; each calls [`machine::Kernel::join`]. The kernel asks once, when there
        /// is a second thread: a program that has one thread waits for none of them at boot.
        fn start_others(&self);

        /// As [`Processor::mark_pending`], for processor `number`, which leaves [`Processor::idle`] for it.
        fn notify(&self, number: usize);

        /// Comes back when every processor that runs the application has executed a full memory barrier, and forgotten
        /// the instructions it fetched before.
        fn synchronize(&self);

        /// Leaves the kernel for the application in `context`, from an empty kernel stack; pending work is done first.
        fn enter(&self, context: &Context) -> !;

        /// Puts `context` in the room for the application's registers of a kernel stack that nobody runs on, whose top
        /// is `stack_top`.
        fn lay(&self, stack_top: usize, context: &Context);

        /// Other registers are now in that room, of the thread that runs and whose system call is being answered: it
        /// finds all of them when it goes on, and the answer. (Behind any other call a machine may restore those alone
        /// that a function does not keep.)
        fn replaced(&self, _stack_top: usize) {}

        /// As [`Processor::enter`], with what [`Processor::lay`] has put on the stack of the thread that runs.
        fn enter_laid(&self) -> !;

        /// Waits for the next interrupt: device, alarm or signal. Returns at once if work is already pending, and takes
        /// the pending mark away. May return early.
        fn idle(&self);

        /// Makes [`machine::Kernel::interrupted`] or [`machine::Kernel::resuming`] run before this processor next
        /// enters the application.
        fn mark_pending(&self);

        /// Has system calls whose numbers lie in `handlers` answered by these, without
        /// [`machine::Kernel::system_call`]: that spares each call a way through two layers. `looking`: the numbers of
        /// those that look at registers which are none of their arguments, or change some; for others a machine may
        /// save less. The last word counts, and an empty table has none answered so. A machine may go on asking the
        /// kernel for all.
        fn answer_by(&self, handlers: &'static [Handler], looking: &[usize]) {
            let _ = (handlers, looking);
        }

        /// Where code of the application's address space enters the kernel by a jump, as a system call does; `None`
        /// where there is only the instruction `syscall`. From now on those that trap are told by
        /// [`machine::Kernel::trapped`], and with
        /// `counted` the others by [`machine::Kernel::called`].
        fn call_entries(&self, counted: bool) -> Option<CallEntries> {
            let _ = counted;
            None
        }

        /// Whether there may be an entry for `cpuid` among these. A constant of the provider, so that what finds those
        /// instructions is not in the image of another.
        fn answers_cpuid(&self) -> bool {
            false
        }

        /// The application's thread pointer (FS base on x86-64).
        fn thread_pointer(&self) -> usize;

        /// Sets the application's thread pointer; `false` if the address is not canonical.
        fn set_thread_pointer(&self, address: usize) -> bool;

        /// Saves the live vector state to the application's memory at `address` (aligned as [`ExtendedState`] says), in
        /// the machine's standard form (XSAVE or FXSAVE).
        fn save_extended(&self, address: usize) -> Result<(), Fault>;

        /// Loads vector state from the application's memory; refuses what the machine would fault on.
        fn restore_extended(&self, address: usize) -> Result<(), Fault>;

        /// The word a program finds in AT_HWCAP (CPUID 1, EDX on x86-64) and AT_HWCAP2.
        fn hardware_capabilities(&self) -> [usize; 2];

        /// A name and description of the processor for `/proc/cpuinfo`, as lines of `key\t: value`.
        fn describe(&self, out: &mut dyn core::fmt::Write) -> core::fmt::Result;
    }
}
