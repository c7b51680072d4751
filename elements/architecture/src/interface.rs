//! What each architecture fills: what the layers above count on, whatever the processor.

use crate::Access;

/// The registers of an interrupted application.
pub trait Registers: Copy + Default {
    /// Those that a new program starts with.
    fn new(instruction_pointer: usize, stack_pointer: usize) -> Self;
    /// Number of the system call.
    fn number(&self) -> usize;
    /// Argument `index`, 0 to 5, of the system call.
    fn argument(&self, index: usize) -> usize;
    /// Sets the result of the system call.
    fn set_result(&mut self, result: isize);
    /// Makes the system call happen again when the application goes on.
    fn restart_system_call(&mut self);
    /// The next instruction.
    fn instruction_pointer(&self) -> usize;
    /// The stack's lowest word in use.
    fn stack_pointer(&self) -> usize;
}

/// The registers as Linux keeps them in a signal frame: `struct sigcontext`.
pub trait SignalRegisters<Context> {
    /// Those of `context`; what is not a register is zero.
    fn of(context: &Context) -> Self;
    /// The registers as a context, which a system call of number `entry` has made, if one has.
    fn context(&self, entry: u64) -> Context;
    /// Puts all of `context` in, and leaves what is not a register alone.
    fn load(&mut self, context: &Context);
}

/// What the processor says of a page fault.
pub trait PageFault: Copy {
    /// How the page was touched.
    fn access(self) -> Access;
    /// Whether a page was there.
    fn is_present(self) -> bool;
    /// Whether regions and rights explain it: anything else (a damaged table, a protection key) is nothing that a
    /// mapping could mend.
    fn is_explained(self) -> bool;
}
