//! Contexts for requests, made and ended.

use kernel::memory::{MapRequest, Placement, RegionKind};
use linux_abi::{Errno, UserAddress, constants::ProtectionFlags};
use machine::{PAGE_SIZE, Source};

use crate::{
    Result,
    objects::{asynchronous::Context, mappings, user},
    process,
};

/// Most requests of all contexts (`/proc/sys/fs/aio-max-nr`).
const MOST: usize = 65_536;
/// Most contexts, each of which takes a page.
const CONTEXTS: usize = 4096;

/// io_setup(2): a context for requests.
///
/// Its number is the address of a page, for libraries look there for a ring.
pub fn io_setup(count: u32, context: UserAddress) -> Result {
    let (count, address) = (count as usize, context);
    let before = user::read_word(address)?;
    if before != 0 || count == 0 {
        return Err(Errno::EINVAL);
    }
    if count > MOST || process().asynchronous.lock().len() >= CONTEXTS {
        return Err(Errno::EAGAIN);
    }
    let page = mappings::place(&MapRequest {
        address: 0,
        length: PAGE_SIZE,
        placement: Placement::Anywhere,
        protection: mappings::protection(ProtectionFlags::PROT_READ),
        source: Source::Zero,
        kind: RegionKind::Data,
        file: None,
        offset: 0,
        reserve: true,
        grows_down: false,
    })?;
    // Linux counts twice what is asked for, and at least some for each processor.
    let context = Context::new(count.max(4) * 2);
    process().asynchronous.lock().push((page, context));
    user::answer_word(address, page).inspect_err(|_| {
        let _ = destroy(page);
    })
}

/// io_destroy(2): a context goes.
///
/// Its polls end without events.
pub fn io_destroy(context: usize) -> Result {
    destroy(context)
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
