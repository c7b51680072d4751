//! What a test's program is made of: its memory, its threads, and its signals' handlers.

use std::{
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
    vec,
    vec::Vec,
};

use contracts::user_memory;
use test_machine::application;

use super::{
    names::*,
    notation::{answer, invoke},
};
use crate::number;

/// Bytes of memory that each test has at first.
const MEMORY: usize = 4 << 20;
/// An address at which a program never has anything.
pub const BAD: usize = 8;

static MEMORY_AT: AtomicUsize = AtomicUsize::new(0);
static USED: AtomicUsize = AtomicUsize::new(0);

/// Bytes of the first thread's stack that are there from the beginning, so that handlers' frames take no more memory.
const TOUCHED: usize = 64 << 10;

/// Maps a test's memory, and forgets what the one before has done with signals.
pub fn begin() {
    let words = [0, MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, usize::MAX, 0];
    MEMORY_AT.store(invoke(number::mmap, words).expect("memory for the test"), SeqCst);
    USED.store(0, SeqCst);
    let stack = kernel::task::application_registers().rsp as usize;
    user_memory::zero(stack - TOUCHED, TOUCHED).expect("the first thread's stack");
    let handled = (1..=SIGRTMAX).filter(|&signal| signal != SIGKILL && signal != SIGSTOP);
    for signal in handled {
        // What waits goes when it is ignored.
        act(signal, SIG_IGN as usize, 0);
        act(signal, SIG_DFL as usize, 0);
    }
    block(SIG_SETMASK, &[]);
    taken();
}

/// Unmaps it.
pub fn end() {
    invoke(number::munmap, [MEMORY_AT.load(SeqCst), MEMORY, 0, 0, 0, 0]).expect("the test's memory");
}

/// The address of so many zero bytes, a multiple of 64.
pub fn room(bytes: usize) -> usize {
    let used = USED.fetch_add(bytes.next_multiple_of(64), SeqCst);
    assert!(used + bytes <= MEMORY, "the test's memory is used up");
    MEMORY_AT.load(SeqCst) + used
}

/// The address of a copy of `bytes` in the program's memory.
pub fn put(bytes: &[u8]) -> usize {
    let address = room(bytes.len());
    store(address, bytes);
    address
}

/// Stores bytes.
pub fn store(address: usize, bytes: &[u8]) {
    user_memory::copy_out(address, bytes).expect("the program's memory");
}

/// Loads bytes.
pub fn load(address: usize, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    user_memory::copy_in(&mut bytes, address).expect("the program's memory");
    bytes
}

/// Loads a word of 64 bits.
pub fn word(address: usize) -> u64 {
    user_memory::read_word(address).expect("the program's memory")
}

/// Loads a word of 32 bits.
pub fn half(address: usize) -> u32 {
    user_memory::read_half(address).expect("the program's memory")
}

/// Stores one.
pub fn set_half(address: usize, value: u32) {
    user_memory::write_half(address, value).expect("the program's memory");
}

/// Two descriptors that a call left in memory.
pub fn pair(address: usize) -> [usize; 2] {
    [half(address) as usize, half(address + 4) as usize]
}

/// Both ends of a new pipe: what is read and what is written.
pub fn pipe() -> [usize; 2] {
    let room = room(8);
    invoke(number::pipe, [room, 0, 0, 0, 0, 0]).expect("a pipe");
    pair(room)
}

/// A new file of these bytes that is open to be read and written, without a name.
pub fn file(contents: &[u8]) -> usize {
    let name = put(b"file\0");
    let file = invoke(number::memfd_create, [name, 0, 0, 0, 0, 0]).expect("a file in memory");
    let bytes = put(contents);
    invoke(number::pwrite64, [file, bytes, contents.len(), 0, 0, 0]).expect("room in a file");
    file
}

/// A thread of the program's.
pub struct Thread {
    /// Its id.
    pub id: usize,
    /// The word that its end clears.
    word: usize,
}

/// Bytes of a thread's stack, on which its handlers' frames are laid.
const STACK: usize = 16 << 10;
const FLAGS: usize = CLONE_VM
    | CLONE_FS
    | CLONE_FILES
    | CLONE_SIGHAND
    | CLONE_THREAD
    | CLONE_SYSVSEM
    | CLONE_PARENT_SETTID
    | CLONE_CHILD_CLEARTID;

impl Thread {
    /// Has `body` run in a new thread.
    pub fn start(body: impl FnOnce() + Send + 'static) -> Self {
        let word = room(4);
        let stack = room(STACK) + STACK;
        let id = answer(application::make_thread(number::clone, [FLAGS, stack, word, word, 0, 0], body));
        Self { id: id.expect("a thread"), word }
    }

    /// As [`Thread::start`], and lets it run until it waits for something.
    pub fn waiting(body: impl FnOnce() + Send + 'static) -> Self {
        let thread = Self::start(body);
        give_way();
        thread
    }

    /// Whether it has ended.
    pub fn has_ended(&self) -> bool {
        half(self.word) == 0
    }

    /// Waits for its end.
    pub fn join(self) {
        while !self.has_ended() {
            let words = [self.word, FUTEX_WAIT, self.id, 0, 0, 0];
            let _ = invoke(number::futex, words);
        }
    }
}

/// Lets all others run until they wait: there is one processor, and each goes on until it does.
pub fn give_way() {
    for _ in 0..8 {
        let _ = invoke(number::sched_yield, [0; 6]);
    }
}

/// Signals that handlers have taken, one digit pair each, the last one last.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

fn take(signal: usize, _: usize, _: usize) {
    TAKEN.store(TAKEN.load(SeqCst) * 100 + signal, SeqCst);
}

/// The signals that handlers have taken since the last look, as decimal digits.
pub fn taken() -> usize {
    TAKEN.swap(0, SeqCst)
}

/// Has a signal handled by a handler that remembers it.
pub fn handle(signal: u8, flags: usize) {
    let take: application::Handler = take;
    handle_by(signal, flags, take);
}

/// Has a signal handled by this function.
pub fn handle_by(signal: u8, flags: usize, handler: application::Handler) {
    act(signal, handler as usize, flags | SA_RESTORER);
}

/// Has a signal treated as this action says: SIG_DFL, SIG_IGN, or a handler's address.
pub fn act(signal: u8, action: usize, flags: usize) {
    // The restorer is this machine's own.
    let words = put(&[action, flags, BAD, 0].map(usize::to_le_bytes).concat());
    invoke(number::rt_sigaction, [signal.into(), words, 0, 8, 0, 0]).expect("a signal that can be handled");
}

/// A set of signals.
pub fn set(signals: &[u8]) -> [u64; 1] {
    [signals.iter().fold(0, |set, signal| set | 1 << (signal - 1))]
}

/// Blocks signals, or lets them come.
pub fn block(how: usize, signals: &[u8]) {
    let set = put(&set(signals)[0].to_le_bytes());
    invoke(number::rt_sigprocmask, [how, set, 0, 8, 0, 0]).expect("a mask");
}
