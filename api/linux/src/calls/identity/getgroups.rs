//! getgroups(2): supplementary groups.

use linux_abi::Errno;

use crate::{Call, Result, objects::user};

/// Answers their number, and writes them unless the size is 0.
pub fn getgroups(call: &mut Call) -> Result {
    let size = usize::try_from(call.int(0)).map_err(|_| Errno::EINVAL)?;
    let groups = crate::objects::process::identity().groups.clone();
    if size > 0 {
        if size < groups.len() {
            return Err(Errno::EINVAL);
        }
        user::write_array(call.argument(1), &groups)?;
    }
    Ok(groups.len())
}
