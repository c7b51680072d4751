//! What is the machine's own, as `std::os` has it: of Unix, what native files have.

/// As on Unix.
pub mod unix {
    /// Files as on Unix.
    pub mod fs {
        pub use crate::fs::unix::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt, PermissionsExt, symlink};
    }
}
