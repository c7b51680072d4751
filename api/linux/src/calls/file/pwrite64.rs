//! pwrite(2).

use super::range;
use crate::{
    Call, Result,
    objects::{
        files::{self, MOST, UserSource},
        user,
    },
};

/// Writes at an offset and leaves the position alone.
pub fn pwrite64(call: &mut Call) -> Result {
    range::offset(call.argument(3))?;
    files::using(call, |call, description| {
        user::check_buffer(call.argument(1), call.argument(2))?;
        let offset = call.argument(3) as u64;
        description.write_at(&mut UserSource::new(call.argument(1), call.argument(2).min(MOST)), offset)
    })
}
