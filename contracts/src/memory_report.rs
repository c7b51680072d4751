//! Contract `memory_report`: see [`machine::MemoryReport`].

slot! { provide_memory_report: ::contracts::machine::MemoryReport {
    /// See [`machine::MemoryReport::memory_use`].
    fn memory_use() -> ::contracts::machine::MemoryUse;
    /// See [`machine::MemoryReport::audit`].
    fn audit() -> ::core::result::Result<::contracts::machine::Audit, ::contracts::machine::AuditError>;
} }
