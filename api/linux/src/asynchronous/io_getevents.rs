//! io_getevents(2): what requests came to.

use crate::{Call, Result, asynchronous::waiting, time::arguments};

/// Waits for some, at most so long; for ever for NULL.
pub fn io_getevents(call: &mut Call) -> Result {
    waiting::events(call, arguments::limit(call.argument(4))?)
}
