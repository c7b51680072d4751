//! setdomainname(2): names the NIS domain.

use linux_abi::Errno;

use crate::{Call, Result};

/// There is no such domain here.
pub fn setdomainname(_: &mut Call) -> Result {
    Err(Errno::EPERM)
}
