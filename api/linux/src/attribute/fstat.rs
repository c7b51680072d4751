//! fstat(2).

use crate::{
    Call, Result,
    files::{self, status_of},
    user,
};

/// The status of an open file.
pub fn fstat(call: &mut Call) -> Result {
    let description = files::description(call.int(0))?;
    user::write_struct(call.argument(1), &status_of(&description.entry.metadata()))?;
    Ok(0)
}
