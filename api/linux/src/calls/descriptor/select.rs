//! select(2).

use linux_abi::{Errno, structures::TimeValue};

use super::select_sets;
use crate::{
    Call, Result,
    objects::{
        timers::moments::{from_now, until},
        user,
    },
};

/// Waits for sets of descriptors. What is left of the limit is written back, as Linux does.
pub fn select(call: &mut Call) -> Result {
    let limit = call.argument(4);
    let deadline = match user::read_optional::<TimeValue>(limit)? {
        None => None,
        Some(time) => {
            let seconds = u64::try_from(time.tv_sec).map_err(|_| Errno::EINVAL)?;
            let microseconds = u64::try_from(time.tv_usec).map_err(|_| Errno::EINVAL)?;
            let length = seconds.saturating_mul(1_000_000_000).saturating_add(microseconds.saturating_mul(1000));
            Some(from_now(length))
        }
    };
    let sets = [call.argument(1), call.argument(2), call.argument(3)];
    let result = select_sets::wait(call.int(0), sets, deadline);
    if let Some(deadline) = deadline {
        let _ = user::write_struct(limit, &TimeValue::from_nanoseconds(until(deadline)));
    }
    result
}
