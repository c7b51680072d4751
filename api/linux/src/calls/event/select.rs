//! Waiting for descriptors: select(2), whose sets are bits.

use alloc::{vec, vec::Vec};

use linux_abi::{
    Errno, FileDescriptor, UserAddress, UserSignalSet, UserTime,
    constants::{POLLERR, POLLHUP, POLLIN, POLLOUT, POLLPRI},
    structures::{SelectMask, TimeValue},
};
use zerocopy::IntoBytes;

use crate::{
    Result,
    objects::{
        files::{self, Interest},
        process::limits,
        signals,
        timers::moments::{deadline, from_now, until, write_rest},
        user,
    },
};

/// select(2): waits for sets of descriptors. What is left of the limit is written back, as Linux does.
pub fn select(count: i32, read: UserAddress, write: UserAddress, except: UserAddress, timeout: UserAddress) -> Result {
    let deadline = match user::read_optional::<TimeValue>(timeout)? {
        None => None,
        Some(time) => {
            let seconds = u64::try_from(time.tv_sec).map_err(|_| Errno::EINVAL)?;
            let microseconds = u64::try_from(time.tv_usec).map_err(|_| Errno::EINVAL)?;
            let length = seconds.saturating_mul(1_000_000_000).saturating_add(microseconds.saturating_mul(1000));
            Some(from_now(length))
        }
    };
    let sets = [read, write, except];
    let result = wait(count, sets, deadline);
    if let Some(deadline) = deadline {
        let _ = user::write_struct(timeout, &TimeValue::from_nanoseconds(until(deadline)));
    }
    result
}

/// pselect6(2): as select, under another signal mask.
pub fn pselect6(
    count: i32,
    read: UserAddress,
    write: UserAddress,
    except: UserAddress,
    timeout: UserTime,
    mask: UserAddress,
) -> Result {
    let end = deadline(timeout)?;
    let mask = user::read_optional::<SelectMask>(mask)?.unwrap_or_default();
    let sets = [read, write, except];
    let result = signals::masked(UserSignalSet(mask.set as usize), mask.size as usize, || wait(count, sets, end));
    write_rest(timeout.into(), end);
    result
}

/// What makes a descriptor readable, writable and exceptional (select(2)).
const EVENTS: [u16; 3] = [POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI];

/// Waits for the descriptors below `count` in the three sets at `addresses` (0 for none).
pub fn wait(count: i32, addresses: [UserAddress; 3], deadline: Option<u64>) -> Result {
    let count = usize::try_from(count).map_err(|_| Errno::EINVAL)?.min(limits::descriptors());
    let words = count.div_ceil(64);
    // One behind the other.
    let mut sets = vec![0_u64; 3 * words];
    for (set, address) in addresses.into_iter().enumerate().filter(|(_, address)| !address.is_null()) {
        user::copy_in(sets[set * words..][..words].as_mut_bytes(), address)?;
    }
    let mut interests = Vec::new();
    for number in 0..count {
        let (mut tag, mut wanted) = ((number as u32) << 3, 0);
        for set in 0..3 {
            if sets[set * words + number / 64] >> (number % 64) & 1 != 0 {
                (tag, wanted) = (tag | 1 << set, wanted | EVENTS[set]);
            }
        }
        if wanted != 0 {
            interests.push(Interest::new(FileDescriptor(number as i32), wanted, tag)?);
        }
    }
    let found = files::wait_for(&mut interests, deadline, |interest| held(interest).count_ones() as usize)?;
    sets.fill(0);
    for interest in &interests {
        let number = (interest.tag >> 3) as usize;
        for set in 0..3 {
            sets[set * words + number / 64] |= u64::from(held(interest) >> set & 1) << (number % 64);
        }
    }
    for (set, address) in addresses.into_iter().enumerate().filter(|(_, address)| !address.is_null()) {
        user::copy_out(address, sets[set * words..][..words].as_bytes())?;
    }
    Ok(found)
}

/// One bit for each set that the descriptor is in (the lower three of its tag; its number is above) and of whose events
/// one holds.
#[inline(never)]
fn held(interest: &Interest) -> u32 {
    let mut sets = 0;
    for (set, events) in EVENTS.into_iter().enumerate() {
        if interest.found & events != 0 {
            sets |= 1 << set;
        }
    }
    sets & interest.tag
}
