//! readv(2).

use crate::{
    Call, Result,
    files::{self, Vectors},
};

/// As read, into scattered memory.
pub fn readv(call: &mut Call) -> Result {
    let description = files::usable(call.int(0))?;
    Vectors::read(call.argument(1), call.argument(2))?.fill(&description, None)
}
