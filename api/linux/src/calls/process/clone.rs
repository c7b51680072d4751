//! New threads. A process is wished for in vain.

use linux_abi::{Errno, UserAddress, constants::CloneFlags};
use zerocopy::IntoBytes;

use crate::{
    Result,
    objects::{
        threads::{self, Wish},
        user,
    },
};

/// Bits of the flags that are the signal at the end of a process.
const SIGNAL: CloneFlags = CloneFlags::from_bits_retain(0xff);

/// clone(2): makes a thread.
///
/// Answers the new thread's id.
pub fn clone(
    flags: CloneFlags,
    stack: usize,
    parent_id: UserAddress,
    child_id: UserAddress,
    thread_pointer: usize,
) -> Result {
    let wish = Wish { flags: flags - SIGNAL, stack, parent_id, child_id, thread_pointer };
    threads::make(wish)
}

/// Words of `struct clone_args` up to its first version's end (CLONE_ARGS_SIZE_VER0).
const WORDS: usize = 8;
/// Most bytes that a caller may pass.
const MOST: usize = 4096;
/// Words that are known, those for the ids to be set included.
const KNOWN: usize = 11;

/// clone3(2): makes a thread.
///
/// Answers the new thread's id. Words behind those that are known must be 0, but for the ids to be set, which are not
/// there (EINVAL).
pub fn clone3(arguments: UserAddress, size: usize) -> Result {
    if size > MOST {
        return Err(Errno::E2BIG);
    }
    if size < WORDS * user::POINTER || !size.is_multiple_of(user::POINTER) {
        return Err(Errno::EINVAL);
    }
    let mut words = [0_usize; KNOWN];
    let length = (size / user::POINTER).min(KNOWN);
    user::copy_in(words[..length].as_mut_bytes(), arguments)?;
    let [flags, _pidfd, child_id, parent_id, signal, stack, stack_size, thread_pointer, rest @ ..] = words;
    let known = KNOWN * user::POINTER;
    let behind = || user::read_array::<usize>(arguments.wrapping_add(known), (size - known) / user::POINTER);
    if size > known && behind()?.iter().any(|&word| word != 0) {
        return Err(Errno::E2BIG);
    }
    if rest.iter().any(|&word| word != 0) {
        return Err(if size > known { Errno::E2BIG } else { Errno::EINVAL });
    }
    let low = CloneFlags::from_bits_retain(flags as u32);
    if signal != 0 && low.contains(CloneFlags::CLONE_THREAD) || (stack == 0) != (stack_size == 0) {
        return Err(Errno::EINVAL);
    }
    let flags = u32::try_from(flags).map(CloneFlags::from_bits_retain).map_err(|_| Errno::EINVAL)?;
    let stack = stack.checked_add(stack_size).ok_or(Errno::EINVAL)?;
    threads::make(Wish {
        flags,
        stack,
        parent_id: UserAddress(parent_id),
        child_id: UserAddress(child_id),
        thread_pointer,
    })
}

/// fork(2): makes a process.
///
/// Not there yet.
pub fn fork() -> Result {
    super::no_second("fork")
}

/// vfork(2): makes a process that borrows its parent's memory.
///
/// Not there yet.
pub fn vfork() -> Result {
    super::no_second("vfork")
}
