//! writev(2).

use crate::{
    Call, Result,
    files::{self, Vectors},
};

/// As write, from scattered memory.
pub fn writev(call: &mut Call) -> Result {
    let description = files::usable(call.int(0))?;
    Vectors::read(call.argument(1), call.argument(2))?.drain(&description, None)
}
