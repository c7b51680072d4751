//! Contract `pager`: see [`machine::Pager`].

slot! { provide_pager: ::contracts::machine::Pager {
    /// See [`machine::Pager::user_range`].
    fn user_range() -> ::core::ops::Range<usize>;
    /// See [`machine::Pager::attach`].
    fn attach(range: ::contracts::machine::PageRange, protection: ::contracts::machine::Protection, source: ::contracts::machine::Source) -> ::core::result::Result<(), ::contracts::machine::PagerError>;
    /// See [`machine::Pager::populate`].
    fn populate(page: usize, access: ::contracts::machine::Access, protection: ::contracts::machine::Protection, source: ::contracts::machine::Source, larger: ::contracts::machine::Larger) -> ::core::result::Result<(), ::contracts::machine::PagerError>;
    /// See [`machine::Pager::detach`].
    fn detach(range: ::contracts::machine::PageRange);
    /// See [`machine::Pager::forget`].
    fn forget(range: ::contracts::machine::PageRange);
    /// See [`machine::Pager::shows_apart`].
    fn shows_apart() -> bool;
    /// See [`machine::Pager::hide`].
    fn hide(range: ::contracts::machine::PageRange, shared: bool);
    /// See [`machine::Pager::protect`].
    fn protect(range: ::contracts::machine::PageRange, protection: ::contracts::machine::Protection) -> ::core::result::Result<(), ::contracts::machine::PagerError>;
    /// See [`machine::Pager::discard`].
    fn discard(range: ::contracts::machine::PageRange, protection: ::contracts::machine::Protection, source: ::contracts::machine::Source) -> ::core::result::Result<(), ::contracts::machine::PagerError>;
    /// See [`machine::Pager::forgets_alike`].
    fn forgets_alike() -> bool;
    /// See [`machine::Pager::relocate`].
    fn relocate(from: ::contracts::machine::PageRange, to: usize, protection: ::contracts::machine::Protection, source: ::contracts::machine::Source) -> ::core::result::Result<(), ::contracts::machine::PagerError>;
    /// See [`machine::Pager::populate_all`].
    fn populate_all(range: ::contracts::machine::PageRange, access: ::contracts::machine::Access) -> bool;
    /// See [`machine::Pager::prefer`].
    fn prefer(range: ::contracts::machine::PageRange, larger: ::contracts::machine::Larger);
    /// See [`machine::Pager::is_resident`].
    fn is_resident(page: usize) -> bool;
    /// See [`machine::Pager::allocate_kernel`].
    fn allocate_kernel(count: usize) -> ::core::result::Result<usize, ::contracts::machine::PagerError>;
    /// See [`machine::Pager::free_kernel`].
    fn free_kernel(address: usize, count: usize);
    /// See [`machine::Pager::allocate_page`].
    fn allocate_page() -> ::core::result::Result<usize, ::contracts::machine::PagerError>;
    /// See [`machine::Pager::free_page`].
    fn free_page(address: usize);
    /// See [`machine::Pager::allocate_stack`].
    fn allocate_stack() -> ::core::result::Result<usize, ::contracts::machine::PagerError>;
    /// See [`machine::Pager::free_stack`].
    fn free_stack(top: usize);
    /// See [`machine::Pager::memory_use`].
    fn memory_use() -> ::contracts::machine::MemoryUse;
    /// See [`machine::Pager::audit`].
    fn audit() -> ::core::result::Result<::contracts::machine::Audit, ::contracts::machine::AuditError>;
} }
