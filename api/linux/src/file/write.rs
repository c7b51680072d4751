//! write(2).

use crate::{
    Call, Result,
    files::{self, MOST, UserSource},
    user,
};

/// Writes at the position, or behind the end with O_APPEND.
pub fn write(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        user::check_buffer(call.argument(1), call.argument(2))?;
        description.write(&mut UserSource::new(call.argument(1), call.argument(2).min(MOST)))
    })
}
