//! What programs ask for and whittle does not have yet. An error of Linux' explains nothing to the person, so each is
//! told once, in a sentence.

use core::sync::atomic::{AtomicBool, Ordering};

/// `true` the first time.
fn first(said: &AtomicBool) -> bool {
    !said.swap(true, Ordering::Relaxed)
}

/// Another process, wished for by this system call of an image that leaves processes out.
#[cold]
pub fn process(call: &str) {
    static SAID: AtomicBool = AtomicBool::new(false);
    if first(&SAID) {
        kernel::notice!(
            "the program wanted to start another process ({call}), which this image leaves out: its setting \
             `processes` is false"
        );
    }
}

/// A network, wished for by a socket of IPv4 or IPv6.
#[cold]
pub fn network() {
    static SAID: AtomicBool = AtomicBool::new(false);
    if first(&SAID) {
        kernel::notice!("the program wanted a network (socket), which whittle does not have yet");
    }
}

/// A pseudo-terminal, wished for by opening the file that makes one.
#[cold]
pub fn pseudo_terminal() {
    static SAID: AtomicBool = AtomicBool::new(false);
    if first(&SAID) {
        kernel::notice!(
            "the program wanted a pseudo-terminal (/dev/ptmx), which this image leaves out: its setting \
             `pseudo_terminals` is false"
        );
    }
}
