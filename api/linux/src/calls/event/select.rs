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
        process::{descriptors, limits},
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

/// The events of some of the sets, which are one bit each.
const fn wanted(sets: usize) -> u16 {
    let [read, write, except] = EVENTS;
    (read * (sets & 1) as u16) | (write * (sets >> 1 & 1) as u16) | (except * (sets >> 2) as u16)
}

/// The sets, one bit each, of whose events one was found.
const fn holding(found: u16) -> u8 {
    let [read, write, except] = EVENTS;
    (found & read != 0) as u8 | ((found & write != 0) as u8) << 1 | ((found & except != 0) as u8) << 2
}

/// [`wanted`] of every union of sets.
const WANTED: [u16; 8] = {
    let mut all = [0; 8];
    let mut sets = 0;
    while sets < all.len() {
        all[sets] = wanted(sets);
        sets += 1;
    }
    all
};

/// [`holding`] of every union of events, which are the lowest five bits.
const HOLDING: [u8; 32] = {
    let mut all = [0; 32];
    let mut found = 0;
    while found < all.len() {
        all[found] = holding(found as u16);
        found += 1;
    }
    assert!(WANTED[7] < 32);
    all
};

/// In how many of the sets one is that is in this union of them: many are asked, and few processors are promised here
/// that count bits.
const COUNTS: [usize; 8] = [0, 1, 1, 2, 1, 2, 2, 3];

/// Waits for the descriptors below `count` in the three sets at `addresses` (0 for none).
pub fn wait(count: i32, addresses: [UserAddress; 3], deadline: Option<u64>) -> Result {
    let count = usize::try_from(count).map_err(|_| Errno::EINVAL)?.min(limits::descriptors());
    let words = count.div_ceil(64);
    // One behind the other.
    let mut sets = vec![0_u64; 3 * words];
    for (set, address) in addresses.into_iter().enumerate().filter(|(_, address)| !address.is_null()) {
        user::copy_in(sets[set * words..][..words].as_mut_bytes(), address)?;
    }
    let mut interests = interests(&sets, words, count)?;
    let found = files::wait_for(&mut interests, deadline, |interest| COUNTS[held(interest) as usize % COUNTS.len()])?;
    sets.fill(0);
    for interest in &interests {
        let (word, bit) = ((interest.tag >> 9) as usize, interest.tag >> 3 & 63);
        let held = held(interest);
        for set in 0..3 {
            sets[set * words + word] |= u64::from(held >> set & 1) << bit;
        }
    }
    for (set, address) in addresses.into_iter().enumerate().filter(|(_, address)| !address.is_null()) {
        user::copy_out(address, sets[set * words..][..words].as_bytes())?;
    }
    Ok(found)
}

/// The interest in each descriptor below `count` that is in one of the three sets, of so many words each. Its tag is
/// its number, and in the lower three bits the sets that it is in.
fn interests(sets: &[u64], words: usize, count: usize) -> core::result::Result<Vec<Interest>, Errno> {
    let (read, others) = sets.split_at(words);
    let (write, except) = others.split_at(words);
    let rows = || read.iter().zip(write).zip(except).map(|((&read, &write), &except)| [read, write, except]);
    let in_any = |row: [u64; 3], word: usize| (row[0] | row[1] | row[2]) & below(count - word * 64);
    let many = rows().enumerate().map(|(word, row)| in_any(row, word).count_ones() as usize).sum();
    let mut interests = Vec::with_capacity(many);
    let table = descriptors();
    for (word, row) in rows().enumerate() {
        let mut left = in_any(row, word);
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            let number = word as u32 * 64 + bit;
            let [read, write, except] = row.map(|set| (set >> bit & 1) as u32);
            let sets = read | write << 1 | except << 2;
            let wanted = WANTED[sets as usize];
            interests.push(Interest::new(&table, FileDescriptor(number as i32), wanted, number << 3 | sets)?);
        }
    }
    Ok(interests)
}

/// The lowest `count` bits.
const fn below(count: usize) -> u64 {
    if count < 64 { (1 << count) - 1 } else { u64::MAX }
}

/// One bit for each set that the descriptor is in and of whose events one holds.
#[inline]
fn held(interest: &Interest) -> u32 {
    u32::from(HOLDING[usize::from(interest.found) % HOLDING.len()]) & interest.tag
}
