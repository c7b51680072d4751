//! Contract `filesystem`: see [`vfs::Tree`].

slot! { provide_filesystem: ::contracts::vfs::Tree {
    /// See [`vfs::Tree::root`].
    fn root() -> &'static ::contracts::vfs::NodeReference;
    /// See [`vfs::Tree::mounts`].
    fn mounts() -> &'static ::contracts::vfs::Mounts;
} }
