//! Semaphores by keys.

use alloc::vec::Vec;

use ipc::semaphore::{MOST_OF_SET, MOST_OPERATIONS, Operation};
use kernel::task::{self, Waited};
use linux_abi::{Errno, UserAddress, UserTime, constants::IpcFlags, structures::SemOperation};

use crate::{
    Result,
    objects::{
        interprocess::{SETS, as_caller, errno, now},
        signals,
        timers::moments::deadline,
        user,
    },
};

/// semget(2): finds or makes a set of semaphores.
///
/// Answers its number.
pub fn semget(key: u32, count: i32, flags: IpcFlags) -> Result {
    let count = usize::try_from(count).ok().filter(|&count| count <= MOST_OF_SET).ok_or(Errno::EINVAL)?;
    let made = as_caller(|caller| SETS.lock().get(key.cast_signed(), count, flags.bits(), caller, now()));
    made.map(|number| number as usize).map_err(errno)
}

/// semop(2): changes semaphores, or waits until that can be done.
///
/// Without a limit of time.
pub fn semop(set: i32, operations: UserAddress, count: usize) -> Result {
    operate(set, operations, count, None)
}

/// By `deadline` in nanoseconds of the monotonic clock: EAGAIN when it has passed.
fn operate(number: i32, operations: UserAddress, count: usize, deadline: Option<u64>) -> Result {
    let operations: Vec<SemOperation> = user::read_array(operations, check(count)?)?;
    let operations = operations
        .iter()
        .map(|one| Operation { number: one.sem_num, change: one.sem_op, flags: one.sem_flg })
        .collect();
    let started =
        as_caller(|caller| SETS.lock().operate(number, operations, caller, now(), task::waker)).map_err(errno)?;
    let Some(wait) = started else { return Ok(0) };
    let waited = signals::sleep_until(deadline, &mut || wait.ticket.is_called());
    match SETS.lock().give_up(number, &wait) {
        Some(ended) => ended.map(|()| 0).map_err(errno),
        None if waited == Waited::TimedOut => Err(Errno::EAGAIN),
        None => Err(Errno::EINTR),
    }
}

/// How many operations: E2BIG for too many, EINVAL for none.
pub fn check(count: usize) -> Result {
    match count as u32 as usize {
        0 => Err(Errno::EINVAL),
        count if count > MOST_OPERATIONS => Err(Errno::E2BIG),
        count => Ok(count),
    }
}

/// semtimedop(2): semop(2) with a limit of time.
///
/// NULL is no limit.
pub fn semtimedop(set: i32, operations: UserAddress, count: usize, timeout: UserTime) -> Result {
    let deadline = deadline(timeout)?;
    operate(set, operations, count, deadline)
}
