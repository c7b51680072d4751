//! vmsplice(2).

use linux_abi::{
    Errno,
    constants::{O_ACCMODE, O_RDONLY},
};

use crate::{
    Call, Result,
    file::splice::{check, pipe},
    files::{self, vectors},
};

/// Moves memory into a pipe, or out of it; pages are copied.
pub fn vmsplice(call: &mut Call) -> Result {
    check(call.unsigned(3))?;
    files::using(call, |call, description| {
        if pipe(description).is_none() {
            return Err(Errno::EBADF);
        }
        if description.flags() & O_ACCMODE == O_RDONLY {
            vectors::fill(call, description, None)
        } else {
            vectors::drain(call, description, None)
        }
    })
}
