//! mlock(2): keeps pages in memory.

use linux_abi::Errno;
use machine::{PAGE_SIZE, page_align_down};

use crate::{Call, Result, memory::arguments};

/// Nothing is ever paged out: only the range is checked.
pub fn mlock(call: &mut Call) -> Result {
    let start = page_align_down(call.argument(0));
    let length = call.argument(1).checked_add(call.argument(0) % PAGE_SIZE).ok_or(Errno::EINVAL)?;
    arguments::check_mapped(&arguments::range(start, length)?)?;
    Ok(0)
}
