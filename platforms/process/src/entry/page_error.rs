//! What the processor says of a page fault.

use machine::Access;

use crate::host::signal::SIGSEGV;

/// A page fault's error code (Intel SDM volume 3, 4.7).
#[derive(Clone, Copy, Debug)]
pub struct PageError(u32);

impl PageError {
    /// The page fault's vector.
    pub const VECTOR: u8 = 14;
    const WRITE: u32 = 1 << 1;
    const FETCH: u32 = 1 << 4;
    /// Present or not, write, by a program, instruction fetch: what regions explain. Other bits (reserved bits in the
    /// tables, protection keys, shadow stacks) are nothing that a mapping could mend.
    const EXPLAINED: u32 = 0b1_0111;

    /// From the processor's code.
    pub const fn new(code: u32) -> Self {
        Self(code)
    }

    /// How the page was touched.
    pub const fn access(self) -> Access {
        if self.0 & Self::FETCH != 0 {
            Access::Execute
        } else if self.0 & Self::WRITE != 0 {
            Access::Write
        } else {
            Access::Read
        }
    }

    /// Whether the kernel may bring the page in. A SIGBUS says that the host has no page to give.
    pub const fn is_resolvable(self, signal: u32) -> bool {
        self.0 & !Self::EXPLAINED == 0 && signal == SIGSEGV as u32
    }
}
