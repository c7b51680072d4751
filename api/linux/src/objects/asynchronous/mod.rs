//! Reading and writing by requests (io_submit(2)): what libaio calls.
//!
//! Files are pages of a cache here and a request is done when io_submit answers, as on a Linux whose page cache has
//! the file; only a request to poll stays. Events wait in the kernel: the page that a context's number points at has no
//! ring that a library could read, so it makes the system call (libaio looks for the ring's magic number).

pub mod context;
pub mod operation;
pub mod waiting;

pub use context::Context;
