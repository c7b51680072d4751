//! What comes from outside: signals for the program.

use core::iter;

use linux_abi::{
    constants::{SI_USER, SIGRTMAX},
    structures::SignalInformation,
};

use crate::objects::{process::table, signals};

/// Takes in all of it. Does not wait.
pub fn work() {
    for number in iter::from_fn(contracts::console::take_signal).filter(|number| (1..=SIGRTMAX).contains(number)) {
        // A standard signal that finds no room waits already, or a thousand others do.
        if let Some(process) = table::find(table::FIRST) {
            let _ = signals::send_to_process(&process, SignalInformation::sent(number, SI_USER, 0, 0, 0));
        }
    }
}
