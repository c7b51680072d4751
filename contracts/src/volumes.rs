//! Contract `volumes`: see [`vfs::Volumes`].

slot! { provide_volumes: ::contracts::vfs::Volumes {
    /// See [`vfs::Volumes::count`].
    fn count() -> usize;
    /// See [`vfs::Volumes::device`].
    fn device(disk: usize) -> ::core::option::Option<::contracts::vfs::NodeReference>;
    /// See [`vfs::Volumes::mount`].
    fn mount(disk: usize, read_only: bool, owner: ::contracts::vfs::Owner) -> ::core::result::Result<::contracts::vfs::Mounting, ::contracts::vfs::Unmountable>;
    /// See [`vfs::Volumes::flush`].
    fn flush() -> ::core::result::Result<(), ::contracts::vfs::FileError>;
} }
