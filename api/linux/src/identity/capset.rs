//! capset(2): gives capabilities up.

use linux_abi::{Errno, structures::CapabilityData};

use crate::{Call, Result, identity::capget, user};

/// Taken note of by root, to whom nothing here is closed anyway; EPERM for others who ask for any.
pub fn capset(call: &mut Call) -> Result {
    let words = capget::words(call.argument(0), false)?.ok_or(Errno::EINVAL)?;
    let data: alloc::vec::Vec<CapabilityData> = user::read_array(call.argument(1), words)?;
    let asks = data.iter().any(|word| (word.effective | word.permitted | word.inheritable) != 0);
    if asks && !crate::state::identity().is_privileged() {
        return Err(Errno::EPERM);
    }
    Ok(0)
}
