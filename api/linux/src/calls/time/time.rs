//! time(2): seconds since 1970.

use crate::{Call, Result, objects::user};

/// Answers and writes them.
pub fn time(call: &mut Call) -> Result {
    let seconds = contracts::clock::wall() / 1_000_000_000;
    user::write_optional(call.argument(0), &seconds)?;
    Ok(seconds as usize)
}
