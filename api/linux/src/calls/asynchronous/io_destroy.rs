//! io_destroy(2): a context goes.

use linux_abi::Errno;
use machine::PAGE_SIZE;

use crate::{Call, Result, objects::asynchronous::Context, process};

/// Its polls end without events.
pub fn io_destroy(call: &mut Call) -> Result {
    destroy(call.argument(0))
}

/// Takes the context with this number and its page away.
pub fn destroy(address: usize) -> Result {
    let context = {
        let mut contexts = process().asynchronous.lock();
        let index = contexts.iter().position(|(known, _)| *known == address).ok_or(Errno::EINVAL)?;
        contexts.swap_remove(index)
    };
    if let Ok(context) = context.1.downcast::<Context>() {
        context.end_waits();
    }
    // A program that has unmapped the page has nothing more to give back.
    let _ = crate::space().unmap(address..address + PAGE_SIZE);
    Ok(0)
}
