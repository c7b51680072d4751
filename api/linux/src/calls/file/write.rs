//! write(2).

use crate::{
    Call, Result,
    objects::{
        files::{self, MOST, UserSource},
        user,
    },
};

/// Writes at the position, or behind the end with O_APPEND.
pub fn write(call: &mut Call) -> Result {
    let description = files::usable(call.int(0))?;
    user::check_buffer(call.argument(1), call.argument(2))?;
    description.write(&mut UserSource::new(call.argument(1), call.argument(2).min(MOST)))
}
