//! poll(2).

use alloc::vec::Vec;

use linux_abi::{Errno, constants::POLLNVAL, structures::PollDescriptor};

use crate::{
    Call, Result,
    files::{self, Interest, Wanted},
    system::limits,
    user,
};

/// Waits for events, at most so many milliseconds; for ever if negative.
pub fn poll(call: &mut Call) -> Result {
    let milliseconds = call.int(2);
    let deadline = u64::try_from(milliseconds)
        .ok()
        .map(|milliseconds| contracts::clock::monotonic().saturating_add(milliseconds * 1_000_000));
    wait(call.argument(0), call.argument(1), deadline)
}

/// Waits for events of the `count` descriptors at `address`.
pub fn wait(address: usize, count: usize, deadline: Option<u64>) -> Result {
    if count > limits::descriptors() {
        return Err(Errno::EINVAL);
    }
    let mut wanted: Vec<PollDescriptor> = user::read_array(address, count)?;
    let mut interests = Vec::with_capacity(count);
    for entry in &mut wanted {
        entry.revents = 0;
        let interest = if entry.fd < 0 { Wanted::Nothing } else { Wanted::Events(entry.fd, entry.events) };
        match Interest::new(interest) {
            Ok(interest) => interests.push(interest),
            Err(_) => {
                entry.revents = POLLNVAL;
                interests.push(Interest::new(Wanted::Nothing)?);
            }
        }
    }
    let invalid = wanted.iter().filter(|entry| entry.revents != 0).count();
    // A descriptor that is not open is an event already: only look.
    let deadline = if invalid > 0 { Some(0) } else { deadline };
    let ready = |events: &[u16]| events.iter().filter(|&&events| events != 0).count();
    let (found, events) = files::wait_for(&interests, deadline, &ready)?;
    for (entry, events) in wanted.iter_mut().zip(events) {
        entry.revents |= events;
    }
    user::write_array(address, &wanted)?;
    Ok(found + invalid)
}
