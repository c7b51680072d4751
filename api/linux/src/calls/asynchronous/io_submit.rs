//! io_submit(2): requests to read, write and wait.

use linux_abi::{Errno, structures::IoControl};

use crate::{
    Call, Result,
    objects::{
        asynchronous::{Context, operation},
        user::{self, POINTER},
    },
};

/// Answers how many were taken; an error if it was the first that was not.
pub fn io_submit(call: &mut Call) -> Result {
    let context = Context::find(call.argument(0))?;
    let count = usize::try_from(call.argument(1) as isize).map_err(|_| Errno::EINVAL)?;
    let list = call.argument(2);
    let mut taken = 0;
    while taken < count {
        let one = taken.checked_mul(POINTER).and_then(|behind| list.checked_add(behind)).ok_or(Errno::EFAULT);
        match one.and_then(|place| submit(&context, place)) {
            Ok(_) => taken += 1,
            Err(error) if taken == 0 => return Err(error),
            Err(_) => break,
        }
    }
    Ok(taken)
}

/// The request whose address is at `place`.
fn submit(context: &Context, place: usize) -> Result {
    let address = user::read_word(place)?;
    let request: IoControl = user::read_struct(address)?;
    operation::submit(context, address as u64, &request)
}
