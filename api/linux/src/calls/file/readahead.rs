//! readahead(2).

use linux_abi::Errno;
use vfs::Kind;

use crate::{Call, Result, objects::files};

/// Contents are in memory already.
pub fn readahead(call: &mut Call) -> Result {
    files::using(call, |_, description| {
        description.check_readable()?;
        if description.kind == Kind::Regular { Ok(0) } else { Err(Errno::EINVAL) }
    })
}
