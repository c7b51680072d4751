//! What all families' ways of receiving share.

use linux_abi::{Errno, constants::MessageFlags};
use vfs::FileError;

use super::socket::Answer;
use crate::objects::descriptors::Description;

/// What one attempt to receive brought.
#[derive(Default)]
pub struct Part {
    /// Bytes.
    pub count: usize,
    /// A receive that waits for all of its bytes may go on behind it.
    pub goes_on: bool,
}

/// Receives once, or with MSG_WAITALL until a part says that it does not go on: how many bytes. An attempt may have
/// found nothing already.
#[inline(never)]
pub fn receive(
    description: &Description,
    flags: MessageFlags,
    mut nothing: bool,
    attempt: &mut dyn FnMut() -> Result<Part, FileError>,
) -> Answer<usize> {
    let (waits, deadline) = description.patience(false);
    let waits = waits && !flags.contains(MessageFlags::MSG_DONTWAIT);
    let all = flags.contains(MessageFlags::MSG_WAITALL) && !flags.contains(MessageFlags::MSG_PEEK);
    let mut total = 0;
    loop {
        let mut goes_on = false;
        let is_ready = |ready: vfs::Readiness| ready.may_read() || ready.intersects(vfs::Readiness::ERROR);
        let mut attempt = || {
            let part = attempt()?;
            goes_on = part.goes_on;
            Ok::<_, FileError>(part.count)
        };
        let result = if core::mem::take(&mut nothing) {
            description.until_later(waits, deadline, is_ready, &mut attempt)
        } else {
            description.until(waits, deadline, is_ready, &mut attempt)
        };
        match result {
            Ok(count) => {
                total += count;
                if !(all && goes_on && count > 0) {
                    return Ok(total);
                }
            }
            Err(_) if total > 0 => return Ok(total),
            Err(error) => return Err(error),
        }
    }
}

/// Whether a send waits, and until when.
pub fn patience(description: &Description, flags: MessageFlags) -> (bool, Option<u64>) {
    let (waits, deadline) = description.patience(true);
    (waits && !flags.contains(MessageFlags::MSG_DONTWAIT), deadline)
}

/// Errors of a receive that no family has an answer for: urgent data and queues of errors.
pub fn check_flags(flags: MessageFlags, urgent: Errno) -> Answer<()> {
    if flags.contains(MessageFlags::MSG_OOB) {
        return Err(urgent);
    }
    if flags.contains(MessageFlags::MSG_ERRQUEUE) { Err(Errno::EAGAIN) } else { Ok(()) }
}
