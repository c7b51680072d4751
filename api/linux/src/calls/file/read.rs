//! read(2).

use crate::{
    Call, Result,
    objects::{
        files::{self, MOST, UserSink},
        user,
    },
};

/// Reads at the position, waiting for a stream's first byte.
pub fn read(call: &mut Call) -> Result {
    let description = files::usable(call.int(0))?;
    user::check_buffer(call.argument(1), call.argument(2))?;
    description.read(&mut UserSink::new(call.argument(1), call.argument(2).min(MOST)))
}
