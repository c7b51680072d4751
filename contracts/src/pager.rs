//! Contract `pager`: see [`machine::Pager`].

slot! { provide_pager: ::machine::Pager {
    /// See [`machine::Pager::user_range`].
    fn user_range() -> ::core::ops::Range<usize>;
    /// See [`machine::Pager::attach`].
    fn attach(range: ::machine::PageRange, protection: ::machine::Protection, source: ::machine::Source) -> ::core::result::Result<(), ::machine::PagerError>;
    /// See [`machine::Pager::populate`].
    fn populate(page: usize, access: ::machine::Access, protection: ::machine::Protection, source: ::machine::Source) -> ::core::result::Result<(), ::machine::PagerError>;
    /// See [`machine::Pager::detach`].
    fn detach(range: ::machine::PageRange);
    /// See [`machine::Pager::protect`].
    fn protect(range: ::machine::PageRange, protection: ::machine::Protection) -> ::core::result::Result<(), ::machine::PagerError>;
    /// See [`machine::Pager::discard`].
    fn discard(range: ::machine::PageRange, protection: ::machine::Protection, source: ::machine::Source) -> ::core::result::Result<(), ::machine::PagerError>;
    /// See [`machine::Pager::relocate`].
    fn relocate(from: ::machine::PageRange, to: usize, protection: ::machine::Protection, source: ::machine::Source) -> ::core::result::Result<(), ::machine::PagerError>;
    /// See [`machine::Pager::allocate_kernel`].
    fn allocate_kernel(count: usize) -> ::core::result::Result<usize, ::machine::PagerError>;
    /// See [`machine::Pager::free_kernel`].
    fn free_kernel(address: usize, count: usize);
    /// See [`machine::Pager::memory_use`].
    fn memory_use() -> ::machine::MemoryUse;
    /// See [`machine::Pager::audit`].
    fn audit() -> ::core::result::Result<::machine::Audit, ::machine::AuditError>;
} }
