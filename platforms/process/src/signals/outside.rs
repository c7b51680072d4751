//! Signals from outside: those the command passes on to the program, alarms, and other processors' calls.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{Frame, Information, Place, enter_kernel, leave_again, place};
use crate::{block::Block, console, entry::Entry, host::signal, last};

/// What the command may pass on. Stop signals are not among them: the host stops us, which stops the program.
pub const FORWARDED: [u8; 8] = [
    signal::SIGHUP,
    signal::SIGINT,
    signal::SIGQUIT,
    signal::SIGUSR1,
    signal::SIGUSR2,
    signal::SIGTERM,
    signal::SIGCONT,
    signal::SIGWINCH,
];

/// The signal of alarms: the first one beyond those that libc keeps for itself.
pub const ALARM: u8 = 34;

/// Another processor calls: see [`crate::others::notify`]. A signal of the old kind, of which one waits at most, and
/// which nothing on Linux sends.
pub const CALL: u8 = signal::SIGSTKFLT;

/// Signals that came and that nobody has taken: bit `number - 1`.
static WAITING: AtomicU64 = AtomicU64::new(0);

/// Takes the lowest signal that waits.
pub fn take() -> Option<u8> {
    loop {
        let lowest = WAITING.load(Relaxed).trailing_zeros();
        if lowest == u64::BITS {
            return None;
        }
        // Another processor may have been faster.
        if WAITING.fetch_and(!(1 << lowest), Relaxed) >> lowest & 1 != 0 {
            return Some(lowest as u8 + 1);
        }
    }
}

/// The handler. What the terminal sends to its foreground group comes here directly: the command, which is in that
/// group too, passes on only what was sent to itself. Were it both, the host might merge the two into one.
pub extern "sysv64" fn on_signal(number: u32, _: &Information, frame: &mut Frame) {
    arrived(number, frame);
}

/// Notes a signal, and sees to it that the kernel looks before the program goes on.
pub fn arrived(number: u32, frame: &mut Frame) {
    let block = frame.block();
    match number as u8 {
        ALARM => console::look(),
        CALL => last::respect(block),
        _ => {
            WAITING.fetch_or(1 << (number - 1), Relaxed);
        }
    }
    block.pending.store(true, Relaxed);
    look(frame, block);
}

fn look(frame: &mut Frame, block: &Block) {
    match place(frame, block) {
        Place::Program => enter_kernel(frame, block, Entry::Interrupted),
        Place::Leaving => leave_again(frame, block, Entry::Exit),
        Place::Kernel => {}
    }
}
