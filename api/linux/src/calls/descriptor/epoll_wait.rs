//! epoll_wait(2): waits for events of a set of descriptors.

use linux_abi::{Errno, structures::EpollEvent};

use crate::{
    Call, Result,
    objects::{events, files, timers::moments::milliseconds, user},
};

/// At most so many milliseconds; for ever if negative.
pub fn epoll_wait(call: &mut Call) -> Result {
    wait(call, milliseconds(call.int(3)))
}

/// Writes the events of the set that a call names first; answers how many.
pub fn wait(call: &Call, deadline: Option<u64>) -> Result {
    const MOST: usize = i32::MAX as usize / size_of::<EpollEvent>();
    let address = call.argument(1);
    let most = usize::try_from(call.int(2)).ok().filter(|&most| most > 0 && most <= MOST).ok_or(Errno::EINVAL)?;
    user::check_buffer(address, most * size_of::<EpollEvent>())?;
    let set = files::usable(call.int(0))?;
    let epoll: &events::Epoll = set.node_as()?;
    let found = epoll.wait(most, deadline)?;
    user::write_array(address, &found)?;
    Ok(found.len())
}
