//! What clone(2) is asked for.

use linux_abi::{UserAddress, constants::CloneFlags};

/// What is wished for, as `struct clone_args` has it.
#[derive(Clone, Copy)]
pub struct Wish {
    /// CLONE_ flags.
    pub flags: CloneFlags,
    /// The signal at the end of a process; 0 for none.
    pub signal: u8,
    /// Signals with handlers get their default action (CLONE_CLEAR_SIGHAND).
    pub clears_handlers: bool,
    /// The new thread's stack pointer; 0 for the caller's.
    pub stack: usize,
    /// Where the maker finds the id (CLONE_PARENT_SETTID).
    pub parent_id: UserAddress,
    /// Where the maker finds a descriptor for the process (CLONE_PIDFD).
    pub descriptor: UserAddress,
    /// Where the new thread finds it, and where it is cleared (CLONE_CHILD_SETTID, CLONE_CHILD_CLEARTID).
    pub child_id: UserAddress,
    /// The thread pointer (CLONE_SETTLS).
    pub thread_pointer: usize,
}

/// What a thread shares with its process; without all of it a process is wished for.
const THREAD: CloneFlags = CloneFlags::CLONE_VM.union(CloneFlags::CLONE_SIGHAND).union(CloneFlags::CLONE_THREAD);

impl Wish {
    /// Whether it is a thread of the running process.
    #[must_use]
    pub const fn is_thread(&self) -> bool {
        self.flags.contains(THREAD)
    }

    /// Whether it has this flag.
    #[must_use]
    pub const fn has(&self, flag: CloneFlags) -> bool {
        self.flags.contains(flag)
    }
}
