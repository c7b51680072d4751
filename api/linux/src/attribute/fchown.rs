//! fchown(2).

use crate::{Call, Result, attribute::fchownat, files};

/// Changes whose an open file is.
pub fn fchown(call: &mut Call) -> Result {
    files::using(call, |call, description| fchownat::change(&description.entry, [call.unsigned(1), call.unsigned(2)]))
}
