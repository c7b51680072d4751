//! vmsplice(2).

use linux_abi::{
    Errno,
    constants::{O_ACCMODE, O_RDONLY, SPLICE_F_NONBLOCK},
};

use super::splice::{check, pipe, room};
use crate::{
    Call, Result,
    objects::files::{self, vectors},
};

/// Moves memory into a pipe, as much as fits, or out of it; pages are copied.
pub fn vmsplice(call: &mut Call) -> Result {
    check(call.unsigned(3))?;
    files::using(call, |call, description| {
        if pipe(description).is_none() {
            return Err(Errno::EBADF);
        }
        let waits = call.unsigned(3) & SPLICE_F_NONBLOCK == 0;
        if description.flags() & O_ACCMODE != O_RDONLY {
            let room = room(description, waits)?;
            return vectors::drain_fitting(call, description, room);
        }
        let ready = description.node.readiness();
        if !waits && !ready.readable && !ready.hangup {
            return Err(Errno::EAGAIN);
        }
        vectors::fill(call, description, None)
    })
}
