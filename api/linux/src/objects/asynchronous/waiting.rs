//! Waiting for events: what io_getevents(2) and io_pgetevents(2) share.

use alloc::{boxed::Box, vec::Vec};
use core::sync::atomic::Ordering;

use kernel::task::{self, Waited};
use linux_abi::{Errno, UserAddress, structures::IoEvent};
use sync::{Stay, Waiter};

use super::Context;
use crate::{
    Result,
    objects::{files::poll_queue, user},
};

/// Writes at least so many events of a context, and at most so many more, until `deadline`. Answers how many.
pub fn events(context: usize, least: i64, most: i64, events: UserAddress, deadline: Option<u64>) -> Result {
    let context = Context::find(context)?;
    let (Ok(least), Ok(most)) = (usize::try_from(least), usize::try_from(most)) else { return Err(Errno::EINVAL) };
    if least > most {
        return Err(Errno::EINVAL);
    }
    let mut found = context.collect(most);
    let mut waited = Waited::Ready(());
    if found.len() < least && deadline != Some(0) {
        waited = wait(&context, least, most, &mut found, deadline);
    }
    if found.is_empty() && waited == Waited::Interrupted {
        return Err(Errno::EINTR);
    }
    if found.is_empty() && context.ended.load(Ordering::SeqCst) {
        return Err(Errno::EINVAL);
    }
    user::write_array(events, &found)?;
    Ok(found.len())
}

pub fn wait(
    context: &Context,
    least: usize,
    most: usize,
    found: &mut Vec<IoEvent>,
    deadline: Option<u64>,
) -> Waited<()> {
    let queues = [&context.changed, poll_queue(&*context.watched)];
    let waiters = queues.map(|queue| Box::pin(Waiter::new(queue, task::waker(), Stay::Once)));
    task::sleep_until(deadline, &mut || {
        waiters.iter().for_each(|waiter| waiter.as_ref().enter());
        found.extend(context.collect(most - found.len()));
        found.len() >= least || context.ended.load(Ordering::SeqCst)
    })
}
