//! readv(2).

use crate::{
    Call, Result,
    objects::files::{self, vectors},
};

/// As read, into scattered memory.
pub fn readv(call: &mut Call) -> Result {
    files::using(call, |call, description| vectors::fill(call, description, None))
}
