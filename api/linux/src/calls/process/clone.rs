//! New threads and processes.

use linux_abi::{
    Errno, UserAddress,
    constants::{CloneFlags, SIGCHLD, SIGRTMAX},
};
use zerocopy::IntoBytes;

use crate::{
    Result,
    objects::{ability, children, process::Wish, threads, user},
};

/// Bits of the flags that are the signal at the end of a process.
const SIGNAL: CloneFlags = CloneFlags::from_bits_retain(0xff);

/// clone(2): makes a thread or a process.
///
/// Answers its id.
pub fn clone(
    flags: CloneFlags,
    stack: usize,
    parent_id: UserAddress,
    child_id: UserAddress,
    thread_pointer: usize,
) -> Result {
    let signal = (flags & SIGNAL).bits() as u8;
    // Where a descriptor for the process is wished for, this one's place is the word for the id.
    let descriptor = parent_id;
    let both = CloneFlags::CLONE_PIDFD | CloneFlags::CLONE_PARENT_SETTID;
    if flags.contains(both) {
        return Err(Errno::EINVAL);
    }
    make(
        "clone",
        &Wish {
            flags: flags - SIGNAL,
            signal,
            clears_handlers: false,
            stack,
            parent_id,
            descriptor,
            child_id,
            thread_pointer,
        },
    )
}

/// Makes a thread or a process.
fn make(call: &str, wish: &Wish) -> Result {
    let has = |flag| wish.has(flag);
    if has(CloneFlags::CLONE_THREAD) && !has(CloneFlags::CLONE_SIGHAND)
        || has(CloneFlags::CLONE_SIGHAND) && (!has(CloneFlags::CLONE_VM) || wish.clears_handlers)
        || wish.signal > SIGRTMAX
    {
        return Err(Errno::EINVAL);
    }
    if wish.is_thread() {
        return threads::make(wish);
    }
    if ability::processes() { children::make(wish) } else { super::no_second(call) }
}

/// What fork(2) wishes for.
const OF_FORK: Wish = Wish {
    flags: CloneFlags::empty(),
    signal: SIGCHLD,
    clears_handlers: false,
    stack: 0,
    parent_id: UserAddress(0),
    descriptor: UserAddress(0),
    child_id: UserAddress(0),
    thread_pointer: 0,
};

/// The flag beyond 32 bits that clone3(2) alone has: CLONE_CLEAR_SIGHAND.
const CLEAR_SIGHAND: usize = 1 << 32;

/// Words of `struct clone_args` up to its first version's end (CLONE_ARGS_SIZE_VER0).
const WORDS: usize = 8;
/// Most bytes that a caller may pass.
const MOST: usize = 4096;
/// Words that are known, those for the ids to be set included.
const KNOWN: usize = 11;

/// clone3(2): makes a thread or a process.
///
/// Answers its id. Words behind those that are known must be 0, but for the ids to be set, which are not
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
    let [flags, descriptor, child_id, parent_id, signal, stack, stack_size, thread_pointer, rest @ ..] = words;
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
    let clears = flags & CLEAR_SIGHAND != 0;
    let flags = u32::try_from(flags & !CLEAR_SIGHAND).map(CloneFlags::from_bits_retain).map_err(|_| Errno::EINVAL)?;
    if flags.intersects(SIGNAL - CloneFlags::CLONE_NEWTIME) {
        return Err(Errno::EINVAL);
    }
    let stack = stack.checked_add(stack_size).ok_or(Errno::EINVAL)?;
    make(
        "clone3",
        &Wish {
            flags,
            signal: u8::try_from(signal).map_err(|_| Errno::EINVAL)?,
            clears_handlers: clears,
            stack,
            descriptor: UserAddress(descriptor),
            parent_id: UserAddress(parent_id),
            child_id: UserAddress(child_id),
            thread_pointer,
        },
    )
}

/// fork(2): makes a process.
///
/// Its memory is a copy of the caller's.
pub fn fork() -> Result {
    make("fork", &OF_FORK)
}

/// vfork(2): makes a process that borrows its parent's memory.
///
/// Comes back when the child has become another program, or has ended.
pub fn vfork() -> Result {
    make("vfork", &Wish { flags: CloneFlags::CLONE_VFORK.union(CloneFlags::CLONE_VM), ..OF_FORK })
}
