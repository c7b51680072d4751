//! utime(2).

use linux_abi::{Errno, constants::AT_FDCWD, structures::UtimeBuffer};

use super::moments::{self, Moment};
use crate::{Call, Result, objects::user};

/// Sets times to the second.
pub fn utime(call: &mut Call) -> Result {
    let times = match user::read_optional::<UtimeBuffer>(call.argument(1))? {
        None => [Moment::Now; 2],
        Some(times) => [at(times.actime)?, at(times.modtime)?],
    };
    moments::set_at(AT_FDCWD, call.argument(0), 0, &times)
}

fn at(seconds: i64) -> core::result::Result<Moment, Errno> {
    seconds.checked_mul(1_000_000_000).map(Moment::At).ok_or(Errno::EINVAL)
}
