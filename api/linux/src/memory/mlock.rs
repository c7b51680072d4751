//! mlock(2): keeps pages in memory.

use linux_abi::Errno;
use machine::{PAGE_SIZE, page_align_down};

use crate::{Call, Result, memory::arguments};

/// Nothing is ever paged out, so bringing the pages in is enough. ENOMEM where one cannot be touched.
pub fn mlock(call: &mut Call) -> Result {
    let start = page_align_down(call.argument(0));
    let length = call.argument(1).checked_add(call.argument(0) % PAGE_SIZE).ok_or(Errno::EINVAL)?;
    let range = arguments::range(start, length)?;
    arguments::check_mapped(&range)?;
    if crate::space().fault_in(range) { Ok(0) } else { Err(Errno::ENOMEM) }
}
