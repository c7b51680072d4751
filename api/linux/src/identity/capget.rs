//! capget(2): capabilities.

use linux_abi::{
    Errno,
    structures::{CapabilityData, CapabilityHeader},
};

use crate::{Call, Result, process, user};

/// `_LINUX_CAPABILITY_VERSION_3`: 64 capabilities in two words.
pub const VERSION: u32 = 0x2008_0522;
/// The two older versions.
const OLD_VERSIONS: [u32; 2] = [0x1998_0330, 0x2007_1026];
/// The capabilities of Linux 6: 0 to 40.
const ALL: u64 = (1 << 41) - 1;

/// Root has all of them, others none.
pub fn capget(call: &mut Call) -> Result {
    let words = words(call.argument(0), call.argument(1) == 0)?;
    let Some(words) = words else { return Ok(0) };
    let all = if crate::state::identity().is_privileged() { ALL } else { 0 };
    let data = [all as u32, (all >> 32) as u32].map(|bits| CapabilityData {
        effective: bits,
        permitted: bits,
        inheritable: 0,
    });
    user::write_array(call.argument(1), &data[..words])?;
    Ok(0)
}

/// Checks the header: how many words its version has, `None` if only the version is asked for.
pub fn words(address: usize, no_data: bool) -> core::result::Result<Option<usize>, Errno> {
    let header: CapabilityHeader = user::read_struct(address)?;
    let words = match header.version {
        VERSION => 2,
        version if version == OLD_VERSIONS[1] => 2,
        version if version == OLD_VERSIONS[0] => 1,
        _ => {
            user::write_struct(address, &CapabilityHeader { version: VERSION, ..header })?;
            return if no_data { Ok(None) } else { Err(Errno::EINVAL) };
        }
    };
    if header.pid < 0 {
        return Err(Errno::EINVAL);
    }
    if header.pid != 0 && header.pid != process().id as i32 {
        return Err(Errno::ESRCH);
    }
    Ok((!no_data).then_some(words))
}
