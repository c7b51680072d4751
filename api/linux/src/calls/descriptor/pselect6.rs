//! pselect6(2).

use linux_abi::structures::SelectMask;

use super::select_sets;
use crate::{
    Call, Result,
    objects::{
        signals,
        timers::moments::{deadline, write_rest},
        user,
    },
};

/// As select, under another signal mask.
pub fn pselect6(call: &mut Call) -> Result {
    let limit = call.argument(4);
    let end = deadline(limit)?;
    let mask = user::read_optional::<SelectMask>(call.argument(5))?.unwrap_or_default();
    let (count, sets) = (call.int(0), [call.argument(1), call.argument(2), call.argument(3)]);
    let result = signals::masked(mask.set as usize, mask.size as usize, || select_sets::wait(count, sets, end));
    write_rest(limit, end);
    result
}
