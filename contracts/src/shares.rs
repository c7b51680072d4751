//! Contract `shares`: see [`vfs::Shares`].

slot! { provide_shares: ::contracts::vfs::Shares {
    /// See [`vfs::Shares::open`].
    fn open(tag: &[u8]) -> ::core::result::Result<::contracts::vfs::NodeReference, ::contracts::vfs::FileError>;
    /// See [`vfs::Shares::flush`].
    fn flush() -> ::core::result::Result<(), ::contracts::vfs::FileError>;
} }
