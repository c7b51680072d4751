//! munlock(2): lets pages leave memory.

use crate::{
    Call, Result,
    memory::{arguments, mlock},
};

/// Nothing is ever paged out: they only count no more.
pub fn munlock(call: &mut Call) -> Result {
    let range = mlock::range(call)?;
    if !range.is_empty() {
        crate::space().unlock(range).map_err(arguments::errno)?;
    }
    Ok(0)
}
