//! Open files: descriptions, the descriptor table, the process' view of the tree, and the ways between user memory
//! and files.

pub mod changing;
pub mod locking;
pub mod longest;
pub mod mapped;
pub mod memfd;
pub mod moving;
pub mod path;
pub mod poll;
pub mod program;
pub mod scattered;
pub mod set_id;
pub mod short;
pub mod source;
pub mod status;
pub mod transfer;
pub mod typed;
pub mod vectors;

pub use mapped::{Mapped, duplicate_space, key, mappable, shared_memory, show_here, show_node_in, source};
pub use memfd::MemFd;
pub use moving::broken_pipe;
pub use path::{Seen, check_change, credentials, done, make, node_at, powers};
pub use poll::{Interest, queue as poll_queue, wait_for};
pub use program::{ProgramFile, absolute_program_path, lookup_program, open_program, read_exact};
pub use scattered::Scattered;
pub use source::FileSource;
pub use status::{status_of, statx_of, unpacked_device};
pub use transfer::{UserSink, UserSource};
pub use vectors::MOST;

use alloc::sync::Arc;

use linux_abi::{Errno, FileDescriptor, UserAddress, constants::OpenFlags};

use super::descriptors::{Description, Descriptor};

/// The open file of the running process at descriptor `number`. EBADF if there is none.
pub fn description(number: FileDescriptor) -> Result<Arc<Description>, Errno> {
    description_in_line(number)
}

/// The same for the functions that most calls come through.
#[inline(always)]
pub fn description_in_line(number: FileDescriptor) -> Result<Arc<Description>, Errno> {
    crate::objects::process::descriptors_in_line().get_in_line(number.0).cloned()
}

/// EBADF for an `O_PATH` descriptor.
#[inline(always)]
pub fn not_a_path(description: Arc<Description>) -> Result<Arc<Description>, Errno> {
    if description.flags().contains(OpenFlags::O_PATH) { Err(Errno::EBADF) } else { Ok(description) }
}

/// As [`description`], but an `O_PATH` descriptor, which cannot be read, written or waited for, is EBADF too.
#[inline(never)]
pub fn usable(number: FileDescriptor) -> Result<Arc<Description>, Errno> {
    description_in_line(number).and_then(not_a_path)
}

/// Puts a new description at the lowest free descriptor.
pub fn install(description: Arc<Description>, close_on_exec: bool) -> crate::Result {
    install_from(description, close_on_exec, 0)
}

/// Puts a description at the lowest free descriptor from `least` on.
pub fn install_from(description: Arc<Description>, close_on_exec: bool, least: usize) -> crate::Result {
    let limit = crate::objects::process::limits::descriptors();
    // Let go of before the description is where there is no room: what is told of its end may ask the table.
    let mut table = crate::objects::process::descriptors_in_line();
    let number = table.free(least, limit)?;
    table.fill(Descriptor { description, close_on_exec }, number);
    Ok(number)
}

/// Makes two descriptors and writes their numbers to `address`; neither stays if that does not go well.
pub fn install_two(
    address: UserAddress,
    first: impl FnOnce() -> crate::Result,
    second: impl FnOnce() -> crate::Result,
) -> crate::Result {
    let first = first()?;
    let second = second();
    let written = second.and_then(|second| {
        let numbers = [first as i32, second as i32];
        crate::objects::user::write_struct(address, &numbers).map(|()| second).inspect_err(|_| forget(second))
    });
    if let Err(error) = written {
        forget(first);
        return Err(error);
    }
    Ok(0)
}

fn forget(number: usize) {
    let closed = crate::objects::process::descriptors().remove(number as i32);
    drop(closed);
}
