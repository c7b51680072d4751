//! What comes from outside: signals for the program.

use core::iter;

use linux_abi::{
    constants::{SI_USER, SIGRTMAX},
    structures::SignalInformation,
};

use crate::objects::terminal;

/// Takes in all of it. Does not wait.
pub fn work() {
    for number in iter::from_fn(contracts::console::take_signal).filter(|number| (1..=SIGRTMAX).contains(number)) {
        terminal::send(SignalInformation::sent(number, SI_USER, 0, 0, 0));
    }
}
