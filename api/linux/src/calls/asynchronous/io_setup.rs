//! io_setup(2): a context for requests.

use kernel::memory::{MapRequest, Placement, RegionKind};
use linux_abi::{Errno, constants::PROT_READ};
use machine::{PAGE_SIZE, Source};

use crate::{
    Call, Result,
    objects::{asynchronous::Context, mappings, user},
    process,
};

/// Most requests of all contexts (`/proc/sys/fs/aio-max-nr`).
const MOST: usize = 65_536;
/// Most contexts, each of which takes a page.
const CONTEXTS: usize = 4096;

/// Its number is the address of a page, for libraries look there for a ring.
pub fn io_setup(call: &mut Call) -> Result {
    let (count, address) = (call.unsigned(0) as usize, call.argument(1));
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
        protection: mappings::protection(PROT_READ),
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
        let _ = crate::calls::asynchronous::io_destroy::destroy(page);
    })
}
