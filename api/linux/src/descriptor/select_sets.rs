//! The descriptor sets of select(2).

use alloc::vec::Vec;

use linux_abi::{
    Errno,
    constants::{POLLERR, POLLHUP, POLLIN, POLLOUT, POLLPRI},
};

use crate::{
    Result,
    files::{self, Interest, Wanted},
    system::limits,
    user,
};

/// What makes a descriptor readable, writable and exceptional (select(2)).
const EVENTS: [u16; 3] = [POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, POLLPRI];

/// Waits for the descriptors below `count` in the three sets at `addresses` (0 for none).
pub fn wait(count: i32, addresses: [usize; 3], deadline: Option<u64>) -> Result {
    let count = usize::try_from(count).map_err(|_| Errno::EINVAL)?.min(limits::descriptors());
    let words = count.div_ceil(64);
    let mut sets: [Vec<u64>; 3] = Default::default();
    for (set, address) in sets.iter_mut().zip(addresses) {
        *set = if address == 0 { alloc::vec![0; words] } else { user::read_array(address, words)? };
    }
    let mut numbers = Vec::new();
    let mut interests = Vec::new();
    for number in 0..count {
        let wanted = (0..3).filter(|&kind| is_set(&sets[kind], number)).fold(0, |events, kind| events | EVENTS[kind]);
        if wanted != 0 {
            numbers.push(number);
            interests.push(Interest::new(Wanted::Events(number as i32, wanted))?);
        }
    }
    let bits = |number: usize, events: u16| {
        (0..3).filter(|&kind| is_set(&sets[kind], number) && events & EVENTS[kind] != 0).count()
    };
    let ready = |events: &[u16]| numbers.iter().zip(events).map(|(&number, &events)| bits(number, events)).sum();
    let (found, events) = files::wait_for(&interests, deadline, &ready)?;
    let mut answers = [alloc::vec![0; words], alloc::vec![0; words], alloc::vec![0_u64; words]];
    for (&number, events) in numbers.iter().zip(events) {
        for kind in 0..3 {
            if is_set(&sets[kind], number) && events & EVENTS[kind] != 0 {
                answers[kind][number / 64] |= 1 << (number % 64);
            }
        }
    }
    for (answer, address) in answers.iter().zip(addresses) {
        if address != 0 {
            user::write_array(address, answer)?;
        }
    }
    Ok(found)
}

fn is_set(set: &[u64], number: usize) -> bool {
    set.get(number / 64).is_some_and(|word| word & 1 << (number % 64) != 0)
}
