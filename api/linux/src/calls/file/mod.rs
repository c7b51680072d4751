//! Contents of files: reading, writing, positions, lengths.

pub mod copy_file_range;
pub mod fadvise64;
pub mod fallocate;
pub mod fdatasync;
pub mod fsync;
pub mod ftruncate;
pub mod lseek;
pub mod pread64;
pub mod preadv;
pub mod preadv2;
pub mod pwrite64;
pub mod pwritev;
pub mod pwritev2;
mod range;
pub mod read;
pub mod readahead;
pub mod readv;
pub mod sendfile;
pub mod splice;
pub mod sync;
pub mod sync_file_range;
pub mod syncfs;
pub mod tee;
pub mod truncate;
pub mod vmsplice;
pub mod write;
pub mod writev;
