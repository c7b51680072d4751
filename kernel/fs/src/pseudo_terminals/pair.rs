//! What both ends of a pseudo-terminal share.

use line_discipline::{Changes, Discipline, TERMIOS, Termios};
use sync::{Mutex, MutexGuard, WaitQueue};
use vfs::{Control, FileError, Source};

use super::table;
use crate::jobs::{Signal, jobs};

/// A pseudo-terminal.
pub struct Pair {
    number: u32,
    control: Control,
    state: Mutex<State>,
    /// Those who wait at the master.
    pub(super) masters: WaitQueue,
    /// Those who wait at the slave.
    pub(super) slaves: WaitQueue,
}

/// What an operation finds and changes.
pub(super) struct State {
    pub(super) discipline: Discipline,
    /// Rows, columns, width and height in pixels.
    size: [u16; 4],
    /// The slave cannot be opened yet.
    pub(super) locked: bool,
    /// The master is open.
    pub(super) driven: bool,
    /// Slaves that are open.
    pub(super) slaves: u32,
    /// The slave was open, and is so no longer.
    pub(super) left: bool,
}

impl core::fmt::Debug for Pair {
    fn fmt(&self, to: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(to, "/dev/pts/{}", self.number)
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        table::forget();
    }
}

impl Pair {
    pub(super) fn new(number: u32) -> Self {
        let state =
            State { discipline: Discipline::new(), size: [0; 4], locked: true, driven: true, slaves: 0, left: false };
        let (masters, slaves) = (WaitQueue::new(), WaitQueue::new());
        Self { number, control: Control::new(0, 0), state: Mutex::new(state), masters, slaves }
    }

    /// The slave is `/dev/pts/` and this number.
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Who has the terminal.
    pub const fn control(&self) -> &Control {
        &self.control
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Does `work` with the line discipline, and then what follows from it.
    pub(super) fn operate<R>(&self, work: impl FnOnce(&mut State) -> R) -> R {
        let mut state = self.state();
        let result = work(&mut state);
        let changes = state.discipline.take_changes();
        drop(state);
        self.tell(changes);
        result
    }

    /// Tells those whom it concerns, without the lock.
    fn tell(&self, changes: Changes) {
        const SIGNALS: [(Changes, Signal); 3] = [
            (Changes::INTERRUPT, Signal::Interrupt),
            (Changes::QUIT, Signal::Quit),
            (Changes::SUSPEND, Signal::Suspend),
        ];
        for (_, signal) in SIGNALS.into_iter().filter(|&(change, _)| changes.contains(change)) {
            self.signal(signal);
        }
        if changes.intersects(Changes::SLAVE_READABLE | Changes::SLAVE_WRITABLE) {
            self.slaves.wake_all();
        }
        if changes.intersects(Changes::MASTER_READABLE | Changes::MASTER_WRITABLE) {
            self.masters.wake_all();
        }
    }

    fn signal(&self, signal: Signal) {
        if let Some(jobs) = jobs() {
            jobs.signal(&self.control, signal);
        }
    }

    /// [`FileError::Failed`] (EIO) if nobody drives it any more: it has hung up.
    pub(super) fn check(&self) -> Result<(), FileError> {
        if self.state().driven { Ok(()) } else { Err(FileError::Failed) }
    }

    pub(super) fn attributes(&self) -> Result<[u8; TERMIOS], FileError> {
        self.check()?;
        Ok(self.state().discipline.attributes().to_bytes())
    }

    /// See [`vfs::Terminal::set_attributes`]. Output is never waited for: the master may take it when it likes.
    pub(super) fn set_attributes(&self, when: u8, attributes: &[u8; TERMIOS]) -> Result<(), FileError> {
        const AND_FLUSH: u8 = 2;
        self.check()?;
        self.operate(|State { discipline, .. }| {
            if when == AND_FLUSH {
                discipline.flush_input();
            }
            discipline.set_attributes(&Termios::from_bytes(*attributes));
        });
        Ok(())
    }

    pub(super) fn window_size(&self) -> [u16; 4] {
        self.state().size
    }

    pub(super) fn set_window_size(&self, size: [u16; 4]) {
        if core::mem::replace(&mut self.state().size, size) != size {
            self.signal(Signal::WindowChange);
        }
    }
}

/// What both ends answer alike as nodes.
macro_rules! node_of_pair {
    () => {
        fn kind(&self) -> Kind {
            Kind::Character
        }

        fn set_length(&self, _length: u64) -> Result<(), FileError> {
            Err(FileError::Invalid)
        }

        fn seeking(&self) -> Seeking {
            Seeking::Stream
        }

        fn terminal(&self) -> Option<&dyn Terminal> {
            Some(self)
        }
    };
}

/// What both ends answer alike as terminals.
macro_rules! terminal_of_pair {
    () => {
        fn attributes(&self) -> Result<[u8; TERMIOS], FileError> {
            self.pair.attributes()
        }

        fn set_attributes(&self, when: u8, attributes: &[u8; TERMIOS]) -> Result<(), FileError> {
            self.pair.set_attributes(when, attributes)
        }

        fn window_size(&self) -> Result<[u16; 4], FileError> {
            Ok(self.pair.window_size())
        }

        fn set_window_size(&self, size: [u16; 4]) -> Result<(), FileError> {
            self.pair.set_window_size(size);
            Ok(())
        }

        fn control(&self) -> &Control {
            self.pair.control()
        }
    };
}

pub(super) use {node_of_pair, terminal_of_pair};

/// Has bytes of `source` taken by `take`, as long as it takes all that it is given; [`FileError::WouldBlock`] if it
/// takes none.
pub(super) fn moved(source: &mut dyn Source, mut take: impl FnMut(&[u8]) -> usize) -> Result<usize, FileError> {
    let mut buffer = [0; 512];
    let mut total = 0;
    while source.left() > 0 {
        let part = source.left().min(buffer.len());
        let count = source.take(&mut buffer[..part]);
        let taken = take(&buffer[..count]);
        total += taken;
        source.give_back(count - taken);
        if taken < count || count == 0 {
            return if total == 0 && count > 0 { Err(FileError::WouldBlock) } else { Ok(total) };
        }
    }
    Ok(total)
}
