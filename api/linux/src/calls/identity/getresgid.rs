//! getresgid(2): real, effective and saved group id.

use crate::{Call, Result, objects::user};

/// Writes the three.
pub fn getresgid(call: &mut Call) -> Result {
    let ids = crate::objects::process::identity().group;
    for (index, id) in [ids.real, ids.effective, ids.saved].iter().enumerate() {
        user::write_struct(call.argument(index), id)?;
    }
    Ok(0)
}
