//! semget(2): finds or makes a set of semaphores.

use ipc::semaphore::MOST_OF_SET;
use linux_abi::Errno;

use crate::objects::interprocess::{SETS, as_caller, errno, now};
use crate::{Call, Result};

/// Answers its number.
pub fn semget(call: &mut Call) -> Result {
    let count = usize::try_from(call.int(1)).ok().filter(|&count| count <= MOST_OF_SET).ok_or(Errno::EINVAL)?;
    let made = as_caller(|caller| SETS.lock().get(call.int(0), count, call.unsigned(2), caller, now()));
    made.map(|number| number as usize).map_err(errno)
}
