//! The end of processes: the first one waits for all others, in a thread that does nothing else.
//!
//! Each process of the host's ends with the first one (PR_SET_PDEATHSIG), so the first one's end is the machine's.
//! Another one ends because its space is given up, or ends the machine, which the first one then does. Whoever else
//! ends was ended by somebody, and may have had a lock, or half a list: the machine ends with a sentence.
//!
//! The host wakes the thread when a process ends that has not said that it will ([`thread::LastWord`]), which is a
//! moment before there is anything to wait for. A host that does not do that, and one that stopped the thread at that
//! moment, leave it to look by itself.

use core::{
    fmt::Write,
    sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst},
};

use machine::{ExitReason, PAGE_SIZE, Record};
use wire::guest::exit_header;

use crate::{
    devices::control,
    host::{HostError, process, signal, thread},
    per_cpu::{self, Block, seat},
};

/// Bytes of the thread's stack.
const STACK: usize = 8 * PAGE_SIZE;

/// Nanoseconds until it looks again: at first, and at last.
const SOON: u64 = 1_000_000;
const LATE: u64 = 1_000_000_000;

/// Who waits for it is woken when a process ends; always 0.
static DEATHS: AtomicU32 = AtomicU32::new(0);

/// Processes that have been made, modulo 2^32.
static MADE: AtomicU32 = AtomicU32::new(0);

/// Whether the thread waits for the next one that is made, as there is none to wait for.
static WAITS: AtomicBool = AtomicBool::new(false);

/// The status that the machine ends with, and 1.
static END: AtomicU32 = AtomicU32::new(0);

/// The thread before it begins.
#[derive(Debug)]
pub struct Watcher {
    /// By it the thread can send frames, as a processor does. It is none: nobody calls it.
    block: Block,
    /// Whether the process with this number was to end.
    was_to_end: fn(u32) -> bool,
}

/// What a [`Watcher`] takes.
#[derive(Debug)]
pub struct Prepared(usize);

/// Memory for it.
pub fn prepare() -> Result<Prepared, HostError> {
    contracts::kernel_memory::allocate(STACK / PAGE_SIZE).map(Prepared).map_err(|_| HostError::NO_MEMORY)
}

impl Prepared {
    /// Starts it.
    pub fn start(self, was_to_end: fn(u32) -> bool) -> Result<(), HostError> {
        let place = self.0 as *mut Watcher;
        // SAFETY: the pages were given to us for ever.
        let watcher = unsafe {
            place.write(Watcher { block: Block::new(), was_to_end });
            &*place
        };
        let own = per_cpu::current();
        watcher.block.prepare(usize::MAX, self.0 + STACK, own.has_base_instructions.load(SeqCst));
        // SAFETY: the stack is the thread's.
        signal::while_blocked(|| unsafe { thread::start(self.0 + STACK, watch, watcher) }).map(drop)
    }
}

/// What the host is to wake when a process ends.
pub fn deaths() -> &'static AtomicU32 {
    &DEATHS
}

/// A process has been made.
pub fn has_one_more() {
    MADE.fetch_add(1, SeqCst);
    // Either this is seen, or the thread finds that one has been made.
    if WAITS.load(SeqCst) {
        thread::wake_word(&MADE);
    }
}

/// Ends the machine with this status.
pub fn end(status: u8) -> ! {
    if seat::moves() {
        END.store(u32::from(status) + 1, SeqCst);
    }
    process::exit(status)
}

/// What the thread does.
extern "sysv64" fn watch(watcher: &'static Watcher) -> ! {
    let address = core::ptr::from_ref(&watcher.block) as usize;
    if watcher.block.has_base_instructions.load(SeqCst) {
        // SAFETY: the block is this thread's.
        unsafe { process::write_gs_base(address) };
    } else {
        // SAFETY: as above. It was accepted once.
        let _ = unsafe { process::set_gs_base(address) };
    }
    let mut patience = SOON;
    loop {
        end_if_wanted();
        let made = MADE.load(SeqCst);
        match process::ended(None) {
            Ok(Some((number, status))) => watcher.ended(number, status),
            Ok(None) if thread::wait_for_last_word(&DEATHS, patience) => patience = SOON,
            Ok(None) => patience = (2 * patience).min(LATE),
            Err(_) => {
                WAITS.store(true, SeqCst);
                thread::wait_for_word(&MADE, made);
                WAITS.store(false, SeqCst);
            }
        }
    }
}

/// Ends the machine, if another process has told it to end.
fn end_if_wanted() {
    if let Some(status) = END.load(SeqCst).checked_sub(1) {
        process::exit(status as u8);
    }
}

impl Watcher {
    fn ended(&self, number: u32, status: u32) {
        if !(self.was_to_end)(number) {
            lost(status);
        }
    }
}

/// A process has ended that was not to: the machine ends, by the first process.
pub fn lost(status: u32) -> ! {
    end_if_wanted();
    // It takes no turn to send: who has died may have had it.
    per_cpu::current().sends.store(true, SeqCst);
    let mut sentence = control::Sentence::new();
    // The lower seven bits are a signal's number, if one was the reason (wait(2)).
    let _ = match status & 0x7f {
        0 => write!(sentence, "a process of this machine ended by itself, with status {}", status >> 8 & 0xff),
        signal => {
            write!(sentence, "a process of this machine was ended by signal {signal}, perhaps for want of memory")
        }
    };
    control::record(Record::Error, sentence.text().as_bytes());
    control::send(exit_header(ExitReason::Failed), &[]);
    process::exit(125)
}
