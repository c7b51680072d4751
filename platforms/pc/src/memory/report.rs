//! The contract `memory_report`.

use machine::{Audit, AuditError, MemoryUse, PAGE_SIZE};

use super::audit;

/// Provider of the contract `memory_report`.
#[derive(Debug, Default)]
pub struct MemoryReport;

impl MemoryReport {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::MemoryReport for MemoryReport {
    fn memory_use(&self) -> MemoryUse {
        let frames = contracts::frames::statistics();
        MemoryUse { total: frames.total * PAGE_SIZE, free: frames.free * PAGE_SIZE }
    }

    fn audit(&self) -> Result<Audit, AuditError> {
        audit::audit()
    }
}
