//! sendmsg(2).

use super::message;
use crate::{Call, Result};

/// Sends a message: scattered bytes, and what goes along.
pub fn sendmsg(call: &mut Call) -> Result {
    super::using(call, |call, description, socket| {
        message::send(description, socket, call.argument(1), call.unsigned(2))
    })
}
