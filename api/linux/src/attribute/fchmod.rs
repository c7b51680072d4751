//! fchmod(2).

use crate::{Call, Result, attribute::fchmodat2, files};

/// Changes the permissions of an open file.
pub fn fchmod(call: &mut Call) -> Result {
    files::using(call, |call, description| fchmodat2::change(&description.entry, call.unsigned(1)))
}
