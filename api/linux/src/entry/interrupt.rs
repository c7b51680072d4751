//! What comes from outside: signals for the program.

use core::iter;

use linux_abi::{
    constants::{SI_USER, SIGCONT, SIGRTMAX, SIGTSTP},
    structures::SignalInformation,
};

use crate::objects::{ability, terminal};

/// Takes in all of it. Does not wait.
pub fn work() {
    let mut continues = false;
    for number in iter::from_fn(contracts::console::take_signal).filter(|number| (1..=SIGRTMAX).contains(number)) {
        // Nobody knows which of both came last: what goes on wrongly can be stopped again, and not the other way round.
        if ability::processes() && number == SIGTSTP && continues {
            continue;
        }
        continues |= number == SIGCONT;
        terminal::send(SignalInformation::sent(number, SI_USER, 0, 0, 0));
    }
}
