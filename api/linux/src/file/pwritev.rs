//! pwritev(2).

use crate::{
    Call, Result,
    file::range,
    files::{self, Vectors},
};

/// As pwrite, from scattered memory.
pub fn pwritev(call: &mut Call) -> Result {
    let description = files::usable(call.int(0))?;
    let offset = range::offset(call.argument(3))?;
    Vectors::read(call.argument(1), call.argument(2))?.drain(&description, Some(offset))
}
