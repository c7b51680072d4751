//! dup2(2).

use super::dup3;
use crate::{Call, Result, objects::files};

/// A second descriptor for an open file, of a given number.
pub fn dup2(call: &mut Call) -> Result {
    let (old, new) = (call.int(0), call.int(1));
    if old == new {
        files::description(old)?;
        return Ok(new as usize);
    }
    dup3::duplicate(old, new, false)
}
