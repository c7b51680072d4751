//! The registers of an interrupted application.
//!
//! Both platforms' entries write this one layout, and all kernel code above reads it.

use crate::Registers;

/// General registers of an application as its entry into the kernel saved them. The tail is what the processor pushes
/// and `iretq` takes, so an interrupt frame needs no rearranging.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
#[allow(missing_docs)] // registers have the names of the architecture's manual
pub struct Context {
    pub r15: u64,
    pub r14: u64,
    pub r13: u64,
    pub r12: u64,
    pub rbp: u64,
    pub rbx: u64,
    pub r11: u64,
    pub r10: u64,
    pub r9: u64,
    pub r8: u64,
    pub rax: u64,
    pub rcx: u64,
    pub rdx: u64,
    pub rsi: u64,
    pub rdi: u64,
    /// The system call number if a system call entered the kernel, else [`Context::NO_SYSTEM_CALL`].
    pub entry: u64,
    pub rip: u64,
    pub cs: u64,
    pub rflags: u64,
    pub rsp: u64,
    pub ss: u64,
}

impl Context {
    /// [`Context::entry`] when an interrupt or a fault entered the kernel.
    pub const NO_SYSTEM_CALL: u64 = u64::MAX;

    /// The registers a new program starts with: all zero but these two.
    /// The platform fills in the segments and flags in `machine::Processor::enter` and on every exit.
    #[must_use]
    pub fn new(instruction_pointer: usize, stack_pointer: usize) -> Self {
        Self {
            rip: instruction_pointer as u64,
            rsp: stack_pointer as u64,
            rflags: 0x202,
            entry: Self::NO_SYSTEM_CALL,
            ..Self::default()
        }
    }

    /// Number of the system call.
    #[must_use]
    #[inline(always)]
    pub fn number(&self) -> usize {
        self.entry as usize
    }

    /// The six argument registers of a Linux system call.
    #[must_use]
    #[inline(always)]
    pub fn arguments(&self) -> [usize; 6] {
        [self.rdi, self.rsi, self.rdx, self.r10, self.r8, self.r9].map(|register| register as usize)
    }

    /// Sets the result of the system call.
    #[inline(always)]
    pub fn set_result(&mut self, result: isize) {
        self.rax = result as u64;
    }

    /// Makes the system call happen again when the application goes on: its two-byte instruction is executed anew.
    pub fn restart_system_call(&mut self) {
        self.rax = self.entry;
        self.rip = self.rip.wrapping_sub(2);
    }
}

impl Registers for Context {
    fn new(instruction_pointer: usize, stack_pointer: usize) -> Self {
        Self::new(instruction_pointer, stack_pointer)
    }

    #[inline(always)]
    fn number(&self) -> usize {
        self.number()
    }

    #[inline(always)]
    fn arguments(&self) -> [usize; 6] {
        self.arguments()
    }

    #[inline(always)]
    fn set_result(&mut self, result: isize) {
        self.set_result(result);
    }

    #[inline(always)]
    fn result(&self) -> usize {
        self.rax as usize
    }

    fn restart_system_call(&mut self) {
        self.restart_system_call();
    }

    #[inline(always)]
    fn instruction_pointer(&self) -> usize {
        self.rip as usize
    }

    #[inline(always)]
    fn stack_pointer(&self) -> usize {
        self.rsp as usize
    }
}
