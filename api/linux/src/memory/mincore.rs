//! mincore(2): which pages are in memory.

use linux_abi::Errno;
use machine::PAGE_SIZE;

use crate::{Call, Result, memory::arguments, user};

/// Nothing is ever paged out: all mapped pages are.
pub fn mincore(call: &mut Call) -> Result {
    let range = arguments::range(call.argument(0), call.argument(1))?;
    arguments::check_mapped(&range)?;
    const CHUNK: usize = 256;
    let (mut address, mut left) = (call.argument(2), range.len() / PAGE_SIZE);
    while left > 0 {
        let part = left.min(CHUNK);
        user::copy_out(address, &[1; CHUNK][..part])?;
        address = address.checked_add(part).ok_or(Errno::EFAULT)?;
        left -= part;
    }
    Ok(0)
}
