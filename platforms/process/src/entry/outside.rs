//! Signals from outside: those the command passes on to the program, alarms, and other processors' calls.

use core::sync::atomic::Ordering::Relaxed;

use super::place::{Place, enter_kernel, leave_again, place};
use crate::{
    devices::{console, signals},
    entry::way::Entry,
    host::{
        frame::{Frame, Information},
        signal::{ALARM, CALL},
    },
    per_cpu::{
        self, Block, rendezvous,
        seat::{self, several},
        smp,
    },
};

/// The handler. What the terminal sends to its foreground group comes here directly: the command, which is in that
/// group too, passes on only what was sent to itself. Were it both, the host might merge the two into one.
pub extern "sysv64" fn on_signal(number: u32, _: &Information, frame: &mut Frame) {
    arrived(number, frame);
}

/// Notes a signal, and sees to it that the kernel looks before the program goes on.
pub fn arrived(number: u32, frame: &mut Frame) {
    let block = per_cpu::of(frame);
    if several() && !concerns(number, frame, block) {
        return;
    }
    let Some(block) = block else { return smp::call_first() };
    match number as u8 {
        ALARM => console::look(),
        CALL => rendezvous::respect(block),
        _ => signals::came(number),
    }
    block.pending.store(true, Relaxed);
    look(frame, block);
}

/// Whether a signal concerns the machine that has come to this host thread, where some processor may be or not. If none
/// is here, it has been noted.
#[cold]
fn concerns(number: u32, frame: &Frame, block: Option<&Block>) -> bool {
    let seat = per_cpu::seat_of(frame);
    match number as u8 {
        ALARM => seat.rang(),
        CALL => {
            rendezvous::be_held();
            seat::make_wanted(seat);
            if block.is_some_and(|block| block.moves.take_ring()) {
                console::look();
                seat.rang();
            }
            block.is_some()
        }
        // The terminal tells all processes in its foreground.
        _ if !seat.is_in_first() => false,
        _ => {
            if block.is_none() {
                signals::came(number);
            }
            true
        }
    }
}

fn look(frame: &mut Frame, block: &Block) {
    match place(frame, block) {
        Place::Program => enter_kernel(frame, block, Entry::Interrupted),
        Place::Leaving => leave_again(frame, block, Entry::Exit),
        Place::Kernel => {}
    }
}
