//! Host threads: one for each processor.

use core::sync::atomic::AtomicU32;

use super::{
    HostError,
    call::{call, clone},
    number,
};

/// What a thread shares with its maker (CLONE_ flags of clone(2)): memory, file system, files, handlers, being one
/// process, System V semaphores. Signal stack and Syscall User Dispatch it does not; its filter is its maker's.
pub const SHARED: usize = 0x100 | 0x200 | 0x400 | 0x800 | 0x1_0000 | 0x4_0000;

/// Starts a thread that calls `begin` with `own` on the stack below `stack`. It begins with the signals blocked that
/// its maker has blocked. Answers its number.
///
/// # Safety
/// The stack is nobody's, and `stack` a multiple of 16.
pub unsafe fn start<T>(
    stack: usize,
    begin: extern "sysv64" fn(&'static T) -> !,
    own: &'static T,
) -> Result<usize, HostError> {
    // SAFETY: the caller's promise.
    unsafe { start_with(SHARED, stack, begin, own) }
}

/// The same with other flags of clone(2). Without CLONE_VM the new thread is that of a new process, a copy of this one.
///
/// # Safety
/// As of [`start`]; a copy uses the stack where it is shared.
pub unsafe fn start_with<T>(
    flags: usize,
    stack: usize,
    begin: extern "sysv64" fn(&'static T) -> !,
    own: &'static T,
) -> Result<usize, HostError> {
    // A function begins 8 above a multiple of 16.
    let words = (stack - 24) as *mut [usize; 3];
    // SAFETY: the caller's promise.
    unsafe {
        words.write([core::ptr::from_ref(own) as usize, begin as usize, 0]);
        clone(flags, words as usize)
    }
}

/// The calling thread's number; that of the first one is the process's.
pub fn own() -> u32 {
    // SAFETY: asks for a number. Cannot fail.
    unsafe { call(number::GETTID, []) }.unwrap_or(0) as u32
}

/// Sends `signal` to one thread of a process.
pub fn signal(process: u32, thread: u32, signal: u8) {
    // SAFETY: our handlers only. A thread that is no more has nothing to be told.
    let _ = unsafe { call(number::TGKILL, [process as usize, thread as usize, usize::from(signal)]) };
}

/// futex(2): waits for a word, or wakes who does.
const FUTEX_WAIT: usize = 0;
const FUTEX_WAKE: usize = 1;
/// The word is looked for among those of this process alone.
const FUTEX_PRIVATE: usize = 128;

/// Both commands. Where there may be several spaces, words are in memory that processes share.
pub fn futex_commands() -> [usize; 2] {
    let among = if contracts::config::config().processes { 0 } else { FUTEX_PRIVATE };
    [FUTEX_WAIT | among, FUTEX_WAKE | among]
}

/// Waits until the word is woken, or is another than `value`; may come back without a reason.
pub fn wait_for_word(word: &AtomicU32, value: u32) {
    // SAFETY: looks at a word that is lent.
    let _ = unsafe { call(number::FUTEX, [word.as_ptr() as usize, futex_commands()[0], value as usize, 0]) };
}

/// Wakes one who waits for the word.
pub fn wake_word(word: &AtomicU32) {
    // SAFETY: nothing is written.
    let _ = unsafe { call(number::FUTEX, [word.as_ptr() as usize, futex_commands()[1], 1]) };
}

/// Commands of membarrier(2): every thread of this process executes a barrier for memory and for instructions, and that
/// it will want that.
pub const SYNCHRONIZE: usize = 32;
/// See there.
pub const REGISTER_SYNCHRONIZE: usize = 64;

/// Before the first [`synchronize`]. An error where the host has no such barrier.
pub fn register_synchronize() -> Result<(), HostError> {
    // SAFETY: does nothing to memory.
    unsafe { call(number::MEMBARRIER, [REGISTER_SYNCHRONIZE, 0]) }.map(drop)
}

/// Comes back when every thread of this process that runs has executed a full barrier.
pub fn synchronize() {
    // SAFETY: as above. Cannot fail where registering has not.
    let _ = unsafe { call(number::MEMBARRIER, [SYNCHRONIZE, 0]) };
}

/// Lets other threads of the host have this one's CPU.
pub fn give_way() {
    // SAFETY: does nothing to memory. Cannot fail.
    let _ = unsafe { call(number::SCHED_YIELD, []) };
}

/// Ends the calling thread, and no other.
pub fn end() -> ! {
    loop {
        // SAFETY: nothing comes after it.
        let _ = unsafe { call(number::EXIT, [0]) };
    }
}
