//! read(2).

use crate::{
    Call, Result,
    files::{self, MOST, UserSink},
    user,
};

/// Reads at the position, waiting for a stream's first byte.
pub fn read(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        user::check_buffer(call.argument(1), call.argument(2))?;
        description.read(&mut UserSink::new(call.argument(1), call.argument(2).min(MOST)))
    })
}
