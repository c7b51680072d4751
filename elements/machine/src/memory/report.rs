//! What a platform says of its memory.

/// How much memory there is, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUse {
    /// All memory of the machine that the kernel manages.
    pub total: usize,
    /// Of that, unused now.
    pub free: usize,
}

/// What [`MemoryReport::audit`] found in the tables that the machine really uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// Pages (of 4 KB) that are mapped, application's and kernel's.
    pub pages: usize,
    /// Of them, writable ones.
    pub writable: usize,
    /// Of them, executable ones.
    pub executable: usize,
}

/// A rule of the address space that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditError {
    /// A page both writable and executable, at this address.
    WritableAndExecutable(usize),
    /// Kernel text that is writable, under any of its addresses.
    WritableKernelText(usize),
    /// Something mapped at address zero.
    MappedAtZero,
}

declaration::contract! {
    memory_report = "how much memory there is, and the walk over the live page tables";

    /// How much memory there is, and whether its rules hold.
    pub trait MemoryReport: Sync {
        /// How much memory is in use.
        fn memory_use(&self) -> MemoryUse;

        /// Walks the live tables and checks the rules of [`AuditError`].
        fn audit(&self) -> Result<Audit, AuditError>;
    }
}
