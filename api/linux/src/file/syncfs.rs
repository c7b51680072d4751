//! syncfs(2).

use crate::{Call, Result, files};

/// As sync, for a descriptor that must be open.
pub fn syncfs(call: &mut Call) -> Result {
    files::using(call, |_, _| files::done(contracts::volumes::flush()))
}
