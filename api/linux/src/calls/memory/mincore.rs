//! mincore(2): which pages are in memory.

use linux_abi::UserAddress;
use machine::PAGE_SIZE;

use crate::{
    Result,
    objects::{mappings, user},
};

/// Those that have been touched, and those of files that lie in the boot archive.
pub fn mincore(address: usize, length: usize, vector: UserAddress) -> Result {
    let mut range = mappings::range(address, length)?;
    mappings::check_mapped(&range)?;
    const CHUNK: usize = 256;
    let (mut address, mut left) = (vector, range.len() / PAGE_SIZE);
    while left > 0 {
        let part = left.min(CHUNK);
        let mut resident = [0; CHUNK];
        for (byte, page) in resident.iter_mut().zip(range.clone().step_by(PAGE_SIZE)) {
            *byte = u8::from(crate::space().is_resident(page));
        }
        user::copy_out(address, &resident[..part])?;
        range.start += part * PAGE_SIZE;
        address = address.wrapping_add(part);
        left -= part;
    }
    Ok(0)
}
