//! Contract `translations`: see [`machine::Translations`].

slot! { provide_translations: ::contracts::machine::Translations {
    /// See [`machine::Translations::user_range`].
    fn user_range() -> ::core::ops::Range<usize>;
    /// See [`machine::Translations::make`].
    fn make() -> ::core::result::Result<::contracts::machine::SpaceHandle, ::contracts::machine::MemoryRefused>;
    /// See [`machine::Translations::give_up`].
    fn give_up(space: ::contracts::machine::SpaceHandle);
    /// See [`machine::Translations::activate`].
    fn activate(space: &::contracts::machine::SpaceHandle);
    /// See [`machine::Translations::duplicate`].
    fn duplicate(from: &::contracts::machine::SpaceHandle, to: &::contracts::machine::SpaceHandle, range: ::contracts::machine::PageRange) -> ::core::result::Result<(), ::contracts::machine::MemoryRefused>;
    /// See [`machine::Translations::attach`].
    fn attach(space: &::contracts::machine::SpaceHandle, range: ::contracts::machine::PageRange, protection: ::contracts::machine::Protection, source: ::contracts::machine::Source) -> ::core::result::Result<(), ::contracts::machine::MemoryRefused>;
    /// See [`machine::Translations::populate`].
    fn populate(space: &::contracts::machine::SpaceHandle, page: usize, access: ::contracts::machine::Access, protection: ::contracts::machine::Protection, source: ::contracts::machine::Source, larger: ::contracts::machine::Larger) -> ::core::result::Result<(), ::contracts::machine::MemoryRefused>;
    /// See [`machine::Translations::detach`].
    fn detach(space: &::contracts::machine::SpaceHandle, range: ::contracts::machine::PageRange);
    /// See [`machine::Translations::forget`].
    fn forget(space: &::contracts::machine::SpaceHandle, range: ::contracts::machine::PageRange);
    /// See [`machine::Translations::shows_apart`].
    fn shows_apart() -> bool;
    /// See [`machine::Translations::hide`].
    fn hide(space: &::contracts::machine::SpaceHandle, range: ::contracts::machine::PageRange, shared: bool);
    /// See [`machine::Translations::protect`].
    fn protect(space: &::contracts::machine::SpaceHandle, range: ::contracts::machine::PageRange, protection: ::contracts::machine::Protection) -> ::core::result::Result<(), ::contracts::machine::MemoryRefused>;
    /// See [`machine::Translations::discard`].
    fn discard(space: &::contracts::machine::SpaceHandle, range: ::contracts::machine::PageRange, protection: ::contracts::machine::Protection, source: ::contracts::machine::Source) -> ::core::result::Result<(), ::contracts::machine::MemoryRefused>;
    /// See [`machine::Translations::forgets_alike`].
    fn forgets_alike() -> bool;
    /// See [`machine::Translations::relocate`].
    fn relocate(space: &::contracts::machine::SpaceHandle, from: ::contracts::machine::PageRange, to: usize, protection: ::contracts::machine::Protection, source: ::contracts::machine::Source) -> ::core::result::Result<(), ::contracts::machine::MemoryRefused>;
    /// See [`machine::Translations::populate_all`].
    fn populate_all(space: &::contracts::machine::SpaceHandle, range: ::contracts::machine::PageRange, access: ::contracts::machine::Access) -> bool;
    /// See [`machine::Translations::prefer`].
    fn prefer(space: &::contracts::machine::SpaceHandle, range: ::contracts::machine::PageRange, larger: ::contracts::machine::Larger);
    /// See [`machine::Translations::is_resident`].
    fn is_resident(space: &::contracts::machine::SpaceHandle, page: usize) -> bool;
} }
