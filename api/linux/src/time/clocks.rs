//! The clocks by number.

use linux_abi::{Errno, constants as c};

use crate::process;

/// Nanoseconds of clock `number`.
#[inline(never)]
pub fn now(number: u32) -> Result<u64, Errno> {
    match number {
        c::CLOCK_REALTIME | c::CLOCK_REALTIME_COARSE | c::CLOCK_REALTIME_ALARM | c::CLOCK_TAI => {
            Ok(contracts::clock::wall())
        }
        c::CLOCK_MONOTONIC
        | c::CLOCK_MONOTONIC_RAW
        | c::CLOCK_MONOTONIC_COARSE
        | c::CLOCK_BOOTTIME
        | c::CLOCK_BOOTTIME_ALARM => Ok(contracts::clock::monotonic()),
        c::CLOCK_PROCESS_CPUTIME_ID | c::CLOCK_THREAD_CPUTIME_ID => Ok(since_start()),
        _ if is_own_processor_clock(number) => Ok(since_start()),
        _ => Err(Errno::EINVAL),
    }
}

/// Time since the process started. The processor is its alone, so this is also the time it has used, its waits
/// included.
pub fn since_start() -> u64 {
    contracts::clock::monotonic().saturating_sub(process().started)
}

/// The clock ids of clock_getcpuclockid(3) and pthread_getcpuclockid(3): the complement of an id above three bits.
fn is_own_processor_clock(number: u32) -> bool {
    let id = !(number as i32 >> 3);
    (number as i32) < 0 && (number & 3) == 2 && (id == 0 || id == process().id as i32)
}

/// Whether the clock can be slept on, and counts from 1970.
pub fn sleepable(number: u32) -> Result<bool, Errno> {
    match number {
        c::CLOCK_REALTIME | c::CLOCK_TAI | c::CLOCK_REALTIME_ALARM => Ok(true),
        c::CLOCK_MONOTONIC | c::CLOCK_BOOTTIME | c::CLOCK_BOOTTIME_ALARM => Ok(false),
        c::CLOCK_PROCESS_CPUTIME_ID => Ok(false),
        c::CLOCK_THREAD_CPUTIME_ID => Err(Errno::EINVAL),
        _ => Err(if now(number).is_ok() { Errno::EOPNOTSUPP } else { Errno::EINVAL }),
    }
}
