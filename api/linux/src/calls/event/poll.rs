//! Waiting for descriptors: poll(2).

use alloc::vec::Vec;

use linux_abi::{
    Errno, FileDescriptor, UserAddress, UserSignalSet, UserTime, constants::POLLNVAL, structures::PollDescriptor,
};

use crate::{
    Result,
    objects::{
        files::{self, Interest},
        process::{descriptors, limits},
        signals,
        timers::moments::{deadline, milliseconds, write_rest},
        user,
    },
};

/// poll(2): waits for events, at most so many milliseconds; for ever if negative.
pub fn poll(descriptors: UserAddress, count: usize, timeout: i32) -> Result {
    wait(descriptors, count, milliseconds(timeout))
}

/// Waits for events of the `count` descriptors at `address`.
pub fn wait(address: UserAddress, count: usize, deadline: Option<u64>) -> Result {
    if count > limits::descriptors() {
        return Err(Errno::EINVAL);
    }
    let mut wanted: Vec<PollDescriptor> = user::read_array(address, count)?;
    let mut interests = Vec::with_capacity(count);
    let mut invalid = 0;
    let table = descriptors();
    for entry in &mut wanted {
        entry.revents = 0;
        if let Ok(interest) = Interest::new(&table, FileDescriptor(entry.fd), entry.events, 0) {
            interests.push(interest);
        } else {
            entry.revents = POLLNVAL;
            invalid += 1;
        }
    }
    drop(table);
    // A descriptor that is not open is an event already: only look.
    let deadline = if invalid > 0 { Some(0) } else { deadline };
    let found = files::wait_for(&mut interests, deadline, |interest| usize::from(interest.found != 0))?;
    let mut interests = interests.iter();
    for entry in wanted.iter_mut().filter(|entry| entry.revents == 0) {
        entry.revents = interests.next().map_or(0, |interest| interest.found);
    }
    user::write_array(address, &wanted)?;
    Ok(found + invalid)
}

/// ppoll(2): as poll, under another signal mask and with a finer limit, which is written back as what is left.
pub fn ppoll(descriptors: UserAddress, count: usize, timeout: UserTime, mask: UserSignalSet, size: usize) -> Result {
    let end = deadline(timeout)?;
    let result = signals::masked(mask, size, || wait(descriptors, count, end));
    write_rest(timeout.into(), end);
    result
}
