//! Reading and writing by requests: io_submit(2).

pub mod io_cancel;
pub mod io_destroy;
pub mod io_getevents;
pub mod io_pgetevents;
pub mod io_setup;
pub mod io_submit;
