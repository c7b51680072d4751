//! epoll_create(2): a set of descriptors to watch.

use linux_abi::Errno;

use super::epoll_create1;
use crate::{Call, Result};

/// The size says nothing, but must be positive.
pub fn epoll_create(call: &mut Call) -> Result {
    if call.int(0) <= 0 {
        return Err(Errno::EINVAL);
    }
    epoll_create1::make(0)
}
