//! setsid(2): starts a session.

use linux_abi::Errno;

use crate::{Call, Result};

/// The first process leads a group already: EPERM, as on Linux.
pub fn setsid(_: &mut Call) -> Result {
    Err(Errno::EPERM)
}
