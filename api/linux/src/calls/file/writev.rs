//! writev(2).

use crate::{
    Call, Result,
    objects::files::{self, vectors},
};

/// As write, from scattered memory.
pub fn writev(call: &mut Call) -> Result {
    files::using(call, |call, description| vectors::drain(call, description, None))
}
