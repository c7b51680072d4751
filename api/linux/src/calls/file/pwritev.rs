//! pwritev(2).

use super::range;
use crate::{
    Call, Result,
    objects::files::{self, vectors},
};

/// As pwrite, from scattered memory.
pub fn pwritev(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        let offset = range::offset(call.argument(3))?;
        vectors::drain(call, description, Some(offset))
    })
}
