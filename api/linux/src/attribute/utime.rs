//! utime(2).

use linux_abi::{Errno, constants::AT_FDCWD, structures::UtimeBuffer};
use vfs::Follow;

use crate::{
    Call, Result,
    attribute::moments::{self, Moment},
    files, user,
};

/// Sets times to the second.
pub fn utime(call: &mut Call) -> Result {
    let path = user::read_path(call.argument(0))?;
    let times = match user::read_optional::<UtimeBuffer>(call.argument(1))? {
        None => [Moment::Now; 2],
        Some(times) => [at(times.actime)?, at(times.modtime)?],
    };
    moments::set(&files::node_at(AT_FDCWD, &path, 0, Follow::Yes)?, times)
}

fn at(seconds: i64) -> core::result::Result<Moment, Errno> {
    seconds.checked_mul(1_000_000_000).map(Moment::At).ok_or(Errno::EINVAL)
}
