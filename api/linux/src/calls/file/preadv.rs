//! preadv(2).

use super::range;
use crate::{
    Call, Result,
    objects::files::{self, vectors},
};

/// As pread, into scattered memory.
pub fn preadv(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        let offset = range::offset(call.argument(3))?;
        vectors::fill(call, description, Some(offset))
    })
}
