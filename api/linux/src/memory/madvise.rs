//! madvise(2): how pages will be used.

use linux_abi::{Errno, constants as c};
use machine::{Access, PAGE_SIZE, PageRange};

use crate::{Call, Result, memory::arguments};

/// Advice that changes contents is followed, the rest is accepted.
pub fn madvise(call: &mut Call) -> Result {
    let range = arguments::range(call.argument(0), call.argument(1)).map_err(|_| Errno::EINVAL)?;
    let advice = call.unsigned(2);
    if !is_known(advice) {
        return Err(Errno::EINVAL);
    }
    if range.is_empty() {
        return Ok(0);
    }
    match advice {
        c::MADV_DONTNEED | c::MADV_DONTNEED_LOCKED | c::MADV_FREE => {
            crate::space().discard(range).map_err(arguments::errno)?;
        }
        c::MADV_POPULATE_READ => populate(range, Access::Read)?,
        c::MADV_POPULATE_WRITE => populate(range, Access::Write)?,
        _ => arguments::check_mapped(&range)?,
    }
    Ok(0)
}

/// MADV_REMOVE needs a shared file behind the mapping, which is not there.
const fn is_known(advice: u32) -> bool {
    matches!(advice, c::MADV_NORMAL..=c::MADV_DONTNEED | c::MADV_FREE | c::MADV_DONTFORK..=c::MADV_COLLAPSE)
}

fn populate(range: PageRange, access: Access) -> core::result::Result<(), Errno> {
    arguments::check_mapped(&range)?;
    let space = crate::space();
    let done = range.step_by(PAGE_SIZE).all(|page| space.resolve(page, access));
    if done { Ok(()) } else { Err(Errno::EFAULT) }
}
