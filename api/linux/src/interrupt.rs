//! What comes from outside: signals for the program, timers.

use core::iter;

use linux_abi::{
    constants::{SI_USER, SIGRTMAX},
    structures::SignalInformation,
};

use crate::{
    signal,
    state::first_process,
    time::{REAL_TIMER, RealTimer},
};

/// Takes in all of it. Does not wait.
pub fn work() {
    for number in iter::from_fn(contracts::console::take_signal).filter(|number| (1..=SIGRTMAX).contains(number)) {
        // A standard signal that finds no room waits already, or a thousand others do.
        if let Some(process) = first_process() {
            let _ = signal::send_to_process(process, SignalInformation::sent(number, SI_USER, 0, 0, 0));
        }
    }
    for timer in iter::from_fn(kernel::timer::take_expired) {
        if timer == REAL_TIMER
            && let Some(process) = first_process()
        {
            RealTimer::expired(process);
        }
    }
}
