//! futimesat(2).

use alloc::sync::Arc;

use vfs::Follow;

use crate::{Call, Result, attribute::moments, files, user};

/// As utimes, relative to a directory; a NULL path means the open file itself.
pub fn futimesat(call: &mut Call) -> Result {
    let times = moments::from_values(call.argument(2))?;
    if call.argument(1) == 0 {
        let description = files::usable(call.int(0))?;
        return moments::set(&Arc::clone(&description.entry), times);
    }
    let path = user::read_path(call.argument(1))?;
    moments::set(&files::node_at(call.int(0), &path, 0, Follow::Yes)?, times)
}
