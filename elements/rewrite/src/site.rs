//! Where a system call is, or a question to the processor.

/// Bytes of a `syscall`, and of a `cpuid`.
pub const SYSCALL: usize = 2;

/// The instruction `cpuid`.
pub(crate) const CPUID: [u8; SYSCALL] = [0x0f, 0xa2];

/// Bytes before a site that are looked at: instructions of real programs are in step after a few.
pub(crate) const BEFORE: usize = 64;

/// A `syscall` that has trapped, or a `cpuid`, and what is known about it.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// Bytes around it, which are executed as they are.
    pub code: &'a [u8],
    /// The address of the first of them.
    pub address: u64,
    /// Where the instruction is among them.
    pub at: usize,
    /// What rax was each time, if it was the same.
    pub number: Option<u32>,
    /// Where among the bytes an instruction is known to begin, as a function does.
    pub known: Option<usize>,
}
