//! pread(2).

use super::range;
use crate::{
    Call, Result,
    objects::{
        files::{self, MOST, UserSink},
        user,
    },
};

/// Reads at an offset and leaves the position alone.
pub fn pread64(call: &mut Call) -> Result {
    range::offset(call.argument(3))?;
    files::using(call, |call, description| {
        user::check_buffer(call.argument(1), call.argument(2))?;
        let offset = call.argument(3) as u64;
        description.read_at(&mut UserSink::new(call.argument(1), call.argument(2).min(MOST)), offset)
    })
}
