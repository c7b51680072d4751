//! munlock(2): lets pages leave memory.

use super::mlock;
use crate::objects::mappings;
use crate::{Call, Result};

/// Nothing is ever paged out: they only count no more.
pub fn munlock(call: &mut Call) -> Result {
    let range = mlock::range(call)?;
    if !range.is_empty() {
        crate::space().unlock(range).map_err(mappings::errno)?;
    }
    Ok(0)
}
