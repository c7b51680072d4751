//! What is known about files: status, modes, owners, times, extended attributes.

mod access;
mod extended;
mod mode;
mod owner;
mod statfs;
mod status;
mod times;
mod xattr;

pub use access::{access, faccessat, faccessat2};
pub use mode::{chmod, fchmod, fchmodat, fchmodat2, umask};
pub use owner::{chown, fchown, fchownat, lchown};
pub use statfs::{fstatfs, statfs};
pub use status::{fstat, lstat, newfstatat, stat, statx};
pub use times::{futimesat, utime, utimensat, utimes};
pub use xattr::{
    fgetxattr, flistxattr, fremovexattr, fsetxattr, getxattr, lgetxattr, listxattr, llistxattr, lremovexattr,
    lsetxattr, removexattr, setxattr,
};
