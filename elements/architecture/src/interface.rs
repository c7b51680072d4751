//! What each architecture fills: what the layers above count on, whatever the processor.

use crate::Access;

/// The registers of an interrupted application.
pub trait Registers: Copy + Default {
    /// Those that a new program starts with.
    fn new(instruction_pointer: usize, stack_pointer: usize) -> Self;
    /// Number of the system call.
    fn number(&self) -> usize;
    /// The words of the system call's arguments.
    fn arguments(&self) -> [usize; 6];
    /// Sets the result of the system call.
    fn set_result(&mut self, result: isize);
    /// The result register.
    fn result(&self) -> usize;
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
    /// Makes `context`, as it was when an application asked to go back from a handler, what the handler found, or made
    /// of it: but what a program may not choose is as it was.
    fn resume(&self, context: &mut Context);
    /// Puts all of `context` in, and leaves what is not a register alone.
    fn load(&mut self, context: &Context);
}

/// The registers of an application that a signal reaches, or that dies.
pub trait HandlerRegisters: Registers {
    /// Bytes below the stack pointer that functions use without saying so.
    const RED_ZONE: u64;
    /// Makes the application go on in a function of three arguments, which finds flags as a new program does.
    fn enter_handler(&mut self, handler: u64, stack_pointer: u64, arguments: [u64; 3]);
    /// Where the frame begins that [`HandlerRegisters::enter_handler`] found at its stack pointer, when the handler has
    /// come back by its restorer.
    fn frame(&self) -> u64;
    /// Goes on behind the instruction that halts the processor, which is the next one.
    fn skip_halt(&mut self);
    /// What people are told of the registers: texts with a mark (`&`) for each of the values behind them.
    fn lines(&self) -> [(&'static str, [u64; 4]); 5];
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
