//! Contract `root`: see [`vfs::RootFiles`].

slot! { provide_root: ::contracts::vfs::RootFiles {
    /// See [`vfs::RootFiles::begin`].
    fn begin(given: ::contracts::vfs::Given<'_, '_>) -> ::core::result::Result<::contracts::vfs::NodeReference, ::contracts::vfs::FileError>;
    /// See [`vfs::RootFiles::flush`].
    fn flush();
} }
