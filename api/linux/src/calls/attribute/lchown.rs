//! lchown(2).

use linux_abi::constants::{AT_FDCWD, AT_SYMLINK_NOFOLLOW};

use super::fchownat;
use crate::{Call, Result};

/// As chown, but of a link itself.
pub fn lchown(call: &mut Call) -> Result {
    fchownat::by_path(AT_FDCWD, call.argument(0), [call.unsigned(1), call.unsigned(2)], AT_SYMLINK_NOFOLLOW)
}
