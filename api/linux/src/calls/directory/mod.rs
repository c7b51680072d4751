//! Directories and names: making, removing, renaming, listing, the working directory.

pub mod chdir;
pub mod chroot;
pub mod fchdir;
pub mod getcwd;
pub mod getdents;
pub mod getdents64;
pub mod link;
pub mod linkat;
mod listing;
pub mod mkdir;
pub mod mkdirat;
pub mod mknod;
pub mod mknodat;
pub mod readlink;
pub mod readlinkat;
pub mod rename;
pub mod renameat;
pub mod renameat2;
pub mod rmdir;
pub mod symlink;
pub mod symlinkat;
pub mod unlink;
pub mod unlinkat;
