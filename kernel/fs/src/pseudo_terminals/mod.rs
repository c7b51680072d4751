//! Pseudo-terminals (pty(7)): `/dev/ptmx` makes a pair, the master by which a program drives a terminal, and the slave
//! `/dev/pts/N`, which is a terminal to other programs. What lies between them is the element `line-discipline`.
//!
//! What an operation brings about is done when the pair's lock has been given back: signals, and those who wait.

mod master;
mod pair;
mod slave;
mod table;

use alloc::sync::Arc;

use vfs::{Control, FileError, Node};

use crate::{console, jobs::jobs};
use master::MasterEnd;
use pair::Pair;
use slave::SlaveEnd;

/// The number of `/dev/ptmx`.
pub const MAKER: (u32, u32) = (5, 2);
/// The major number of the slaves.
pub const SLAVES: u32 = 136;

/// Opens one of these devices: `None` for a number that is none of theirs.
pub(crate) fn open(number: (u32, u32)) -> Option<Result<Arc<dyn Node>, FileError>> {
    match number {
        console::TERMINAL => {
            let pair = table::of_session(jobs()?.session())?;
            jobs()?.has_terminal(pair.control()).then(|| SlaveEnd::open(pair).map(|end| end as Arc<dyn Node>))
        }
        MAKER => Some(MasterEnd::make().map(|end| end as Arc<dyn Node>)),
        (SLAVES, minor) => {
            let pair = table::find(minor).ok_or(FileError::Failed);
            Some(pair.and_then(SlaveEnd::open).map(|end| end as Arc<dyn Node>))
        }
        _ => None,
    }
}

/// The terminal of a session, if that is a pseudo-terminal.
#[must_use]
pub fn of_session(session: u32) -> Option<Held> {
    table::of_session(session).map(Held)
}

/// A pair that somebody is about to do something with.
#[derive(Debug)]
pub struct Held(Arc<Pair>);

impl Held {
    /// Who has the terminal.
    #[must_use]
    pub fn control(&self) -> &Control {
        self.0.control()
    }

    /// The number of the slave.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.0.number()
    }
}
