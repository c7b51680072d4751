//! Directories and names: making, removing, renaming, listing, the working directory.

mod link;
mod listing;
mod make;
mod remove;
mod rename;
mod working;

pub use link::{link, linkat, readlink, readlinkat, symlink, symlinkat};
pub use listing::{getdents, getdents64};
pub use make::{mkdir, mkdirat, mknod, mknodat};
pub use remove::{rmdir, unlink, unlinkat};
pub use rename::{rename, renameat, renameat2};
pub use working::{chdir, chroot, fchdir, getcwd};
