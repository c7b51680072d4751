//! rseq(2): restartable sequences.

use linux_abi::Errno;

use crate::{Call, Result};

/// Not there: libraries do without, as on a Linux before 4.18.
pub fn rseq(_: &mut Call) -> Result {
    Err(Errno::ENOSYS)
}
