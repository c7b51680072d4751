//! pread(2).

use crate::{
    Call, Result,
    file::range,
    files::{self, MOST, UserSink},
    user,
};

/// Reads at an offset and leaves the position alone.
pub fn pread64(call: &mut Call) -> Result {
    let offset = range::offset(call.argument(3))?;
    let description = files::usable(call.int(0))?;
    user::check_buffer(call.argument(1), call.argument(2))?;
    description.read_at(&mut UserSink::new(call.argument(1), call.argument(2).min(MOST)), offset)
}
