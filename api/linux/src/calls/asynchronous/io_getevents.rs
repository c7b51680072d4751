//! io_getevents(2): what requests came to.

use crate::{
    Call, Result,
    objects::{asynchronous::waiting, timers::moments},
};

/// Waits for some, at most so long; for ever for NULL.
pub fn io_getevents(call: &mut Call) -> Result {
    waiting::events(call, moments::limit(call.argument(4))?)
}
