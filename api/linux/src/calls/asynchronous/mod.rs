//! Reading and writing by requests: io_submit(2).

mod contexts;
mod requests;

pub use contexts::{io_destroy, io_setup};
pub use requests::{io_cancel, io_getevents, io_pgetevents, io_submit};
