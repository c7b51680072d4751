//! truncate(2).

use crate::objects::errors;
use linux_abi::{Errno, constants::AT_FDCWD};
use vfs::{Kind, Rights, watch::MODIFIED};

use super::range;
use crate::{
    Call, Result,
    objects::{files, files::changing},
};

/// Cuts or lengthens the file at a path.
pub fn truncate(call: &mut Call) -> Result {
    let length = range::offset(call.argument(1))?;
    changing::change_at(AT_FDCWD, call.argument(0), 0, MODIFIED, &mut |node| {
        match node.kind() {
            Kind::Regular => {}
            Kind::Directory => return Err(Errno::EISDIR),
            _ => return Err(Errno::EINVAL),
        }
        files::credentials().check(&node.metadata(), Rights::WRITE).map_err(errors::errno)?;
        files::check_change(node)?;
        files::longest::check(&**node, length)?;
        files::set_id::see(node.metadata().mode);
        files::set_id::drop_bits(&**node, Kind::Regular)?;
        files::done(node.set_length(length))
    })
}
