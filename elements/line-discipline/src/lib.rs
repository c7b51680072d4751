//! Linux' line discipline of pseudo-terminals (termios(3), pty(7)), N_TTY, as a state machine.
//!
//! A pseudo-terminal has two sides. What its *master* writes (a terminal emulator, sshd) was typed: lines are edited,
//! and shown to the master as an echo. What is left of it the *slave* reads, which is the program's terminal. What the
//! slave writes the master reads.
//!
//! Nothing here waits, wakes or sends a signal. What the caller has to do is in [`Changes`].
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod arriving;
mod attributes;
mod echoes;
mod edit;
mod erase;
mod flow;
mod input;
mod letters;
mod output;
mod packet;
mod read;
mod receive;
mod termios;
mod write;

use arriving::Arriving;
use echoes::Echoes;
use input::Input;
use letters::ByteSet;
use output::Output;

pub use arriving::ARRIVING;
pub use flow::FlowCharacter;
pub use input::INPUT;
pub use output::OUTPUT;
pub use packet::PacketStatus;
pub use read::Wait;
pub use termios::{Character, ControlFlags, InputFlags, LocalFlags, OutputFlags, TERMIOS, Termios};

bitflags::bitflags! {
    /// What the caller has to do.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Changes: u8 {
        /// Send SIGINT to the foreground process group.
        const INTERRUPT = 1;
        /// Send SIGQUIT to it.
        const QUIT = 2;
        /// Send SIGTSTP to it.
        const SUSPEND = 4;
        /// Wake those who read the slave: there may be more to read.
        const SLAVE_READABLE = 8;
        /// Wake those who write the slave: there may be room.
        const SLAVE_WRITABLE = 16;
        /// Wake those who read the master: there may be more to read, or a packet status.
        const MASTER_READABLE = 32;
        /// Wake those who write the master: there may be room.
        const MASTER_WRITABLE = 64;
    }
}

/// The state of a pseudo-terminal.
pub struct Discipline {
    attributes: Termios,
    /// What the attributes make more than text.
    special: ByteSet,
    /// What the master wrote and found no room in `input`.
    arriving: Arriving,
    input: Input,
    /// The next character is text, whatever it is (LNEXT).
    literal_next: bool,
    /// The end of what ECHOPRT shows of erased characters is still to come.
    erasing: bool,
    echoes: Echoes,
    output: Output,
    /// Output is stopped, by STOP or by [`Discipline::stop_output`].
    stopped: bool,
    /// Only [`Discipline::start_output`] starts it.
    stopped_by_call: bool,
    packet_mode: bool,
    packet_status: PacketStatus,
    changes: Changes,
}

impl Default for Discipline {
    fn default() -> Self {
        Self::new()
    }
}

impl Discipline {
    /// That of a new pseudo-terminal.
    #[must_use]
    pub fn new() -> Self {
        let attributes = Termios::default();
        Self {
            attributes,
            special: ByteSet::special(&attributes),
            arriving: Arriving::default(),
            input: Input::default(),
            literal_next: false,
            erasing: false,
            echoes: Echoes::default(),
            output: Output::default(),
            stopped: false,
            stopped_by_call: false,
            packet_mode: false,
            packet_status: PacketStatus::empty(),
            changes: Changes::empty(),
        }
    }

    /// What the caller has to do since it asked last.
    #[must_use]
    pub fn take_changes(&mut self) -> Changes {
        core::mem::take(&mut self.changes)
    }

    fn has(&self, flag: LocalFlags) -> bool {
        self.attributes.local.contains(flag)
    }

    /// Does `work`; who reads the master is woken if there is more for it.
    fn with_output<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let answer = work(self);
        self.output.arrive();
        if core::mem::take(&mut self.output.are_new) {
            self.changes |= Changes::MASTER_READABLE;
        }
        answer
    }
}

#[cfg(test)]
mod tests;
