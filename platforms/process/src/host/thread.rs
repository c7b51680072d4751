//! Host threads: one for each processor.

use core::{
    ptr,
    sync::atomic::{AtomicU32, AtomicUsize, Ordering::SeqCst},
};

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
        words.write([ptr::from_ref(own) as usize, begin as usize, 0]);
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

/// Waits until the word, which is 0, is woken by a [`LastWord`], for so many nanoseconds at most: whether it was, as
/// far as known. The host looks for it among the words of all processes.
pub fn wait_for_last_word(word: &AtomicU32, nanoseconds: u64) -> bool {
    const SECOND: u64 = 1_000_000_000;
    let time = [nanoseconds / SECOND, nanoseconds % SECOND];
    // SAFETY: looks at a word that is lent, and reads the time.
    unsafe { call(number::FUTEX, [word.as_ptr() as usize, FUTEX_WAIT, 0, time.as_ptr() as usize]) }.is_ok()
}

/// Wakes one who waits for the word.
pub fn wake_word(word: &AtomicU32) {
    // SAFETY: nothing is written.
    let _ = unsafe { call(number::FUTEX, [word.as_ptr() as usize, futex_commands()[1], 1]) };
}

/// What the host does when a thread has ended, however that came to be: `struct robust_list_head` of
/// set_robust_list(2). The thread has no locks that the host could give back, and is about to take one that nobody has:
/// of those who wait for such a lock one is woken (`handle_futex_death`, since Linux 5.5).
#[derive(Debug, Default)]
#[repr(C)]
pub struct LastWord {
    /// The first lock, or this word.
    locks: AtomicUsize,
    /// From what the others say to a lock.
    offset: AtomicUsize,
    /// The lock that the thread is about to take.
    wanted: AtomicUsize,
}

impl LastWord {
    /// It says nothing.
    pub const fn new() -> Self {
        Self { locks: AtomicUsize::new(0), offset: AtomicUsize::new(0), wanted: AtomicUsize::new(0) }
    }

    /// Has the host wake who waits for `word`, which is always 0, when the calling thread has ended. Nothing comes of
    /// it on a host that refuses.
    pub fn wake(&'static self, word: &'static AtomicU32) {
        self.locks.store(self.locks.as_ptr() as usize, SeqCst);
        self.wanted.store(word.as_ptr() as usize, SeqCst);
        // SAFETY: the host reads the three words, which are there for ever, and writes no other one: there are no
        // locks.
        let _ = unsafe { call(number::SET_ROBUST_LIST, [ptr::from_ref(self) as usize, size_of::<Self>()]) };
    }

    /// Nobody is to be woken any more.
    pub fn take_back(&self) {
        self.wanted.store(0, SeqCst);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Ends a thread that has a last word: whether that was heard in a hundredth of a second.
    fn is_heard(words: &'static (LastWord, AtomicU32), is_taken_back: bool) -> bool {
        let (last, word) = words;
        let ends = std::thread::spawn(move || {
            last.wake(word);
            if is_taken_back {
                last.take_back();
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        });
        let heard = wait_for_last_word(word, 10_000_000);
        ends.join().expect("it ends well");
        heard
    }

    #[test]
    fn the_end_of_a_thread_is_told() {
        static WORDS: [(LastWord, AtomicU32); 2] = [const { (LastWord::new(), AtomicU32::new(0)) }; 2];
        // On a busy host it may be too late, or too early.
        assert!((0..1000).any(|_| is_heard(&WORDS[0], false)));
        assert!((0..10).all(|_| !is_heard(&WORDS[1], true)));
    }
}
