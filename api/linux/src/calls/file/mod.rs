//! Contents of files: reading, writing, positions, lengths.

mod advice;
mod copy_file_range;
mod length;
mod lseek;
mod read;
mod sendfile;
mod splice;
mod sync;
mod tee;
mod write;

pub use advice::{fadvise64, readahead};
pub use copy_file_range::copy_file_range;
pub use length::{fallocate, ftruncate, truncate};
pub use lseek::lseek;
pub use read::{pread64, preadv, preadv2, read, readv};
pub use sendfile::sendfile;
pub use splice::splice;
pub use sync::{fdatasync, fsync, sync, sync_file_range, syncfs};
pub use tee::{tee, vmsplice};
pub use write::{pwrite64, pwritev, pwritev2, write, writev};
