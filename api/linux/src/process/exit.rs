//! exit(2): ends the thread.

use core::sync::atomic::Ordering;

use crate::{Call, Result, current, process::exit_group, user};

/// The last thread ends the process.
pub fn exit(call: &mut Call) -> Result {
    let address = current().clear_child_id.load(Ordering::Relaxed);
    if address != 0 {
        // Nobody is left to see the word; Linux passes a bad address over too.
        let _ = user::write_struct(address, &0_u32);
    }
    exit_group::exit_group(call)
}
