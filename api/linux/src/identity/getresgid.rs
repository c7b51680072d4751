//! getresgid(2): real, effective and saved group id.

use crate::{Call, Result, user};

/// Writes the three.
pub fn getresgid(call: &mut Call) -> Result {
    let ids = crate::state::identity().group;
    for (index, id) in [ids.real, ids.effective, ids.saved].iter().enumerate() {
        user::write_struct(call.argument(index), id)?;
    }
    Ok(0)
}
