//! The end by which a program drives a terminal (ptmx(4)).

use alloc::{format, sync::Arc};

use line_discipline::TERMIOS;
use sync::WaitQueue;
use vfs::{
    Control, Creation, FileError, Kind, MakeKind, Master, Metadata, Node, Owner, Readiness, Removal, Seeking, Sink,
    Source, Terminal,
};

use super::{
    MAKER, SLAVES,
    pair::{Pair, State, moved, node_of_pair, terminal_of_pair},
    table,
};
use crate::jobs::jobs;

/// The group of terminals' devices, by which others may write to them (mesg(1)).
const GROUP: u32 = 5;

/// An open master. Closing it is dropping it.
pub struct MasterEnd {
    pair: Arc<Pair>,
}

/// The directory of the slaves.
fn directory() -> Option<Arc<dyn Node>> {
    crate::DEVICES.get()?.lookup(b"pts").ok()
}

impl MasterEnd {
    /// Makes a pair, and the name of its slave.
    pub fn make() -> Result<Arc<Self>, FileError> {
        let directory = directory().ok_or(FileError::NoDevice)?;
        let pair = table::make()?;
        let user = jobs().map_or(0, |jobs| jobs.owner().user);
        let number = pair.number();
        let kind = MakeKind::Special(Kind::Character, (SLAVES, number));
        let creation = Creation { kind, mode: 0o620, owner: Owner { user, group: GROUP } };
        directory.create(format!("{number}").as_bytes(), &creation)?;
        Ok(Arc::new(Self { pair }))
    }
}

impl Drop for MasterEnd {
    fn drop(&mut self) {
        // Somebody has removed it already, who may.
        let _ = directory().map(|pts| pts.remove(format!("{}", self.pair.number()).as_bytes(), Removal::File));
        self.pair.state().driven = false;
        if let Some(jobs) = jobs() {
            jobs.hang_up(self.pair.control());
        }
        self.pair.slaves.wake_all();
    }
}

impl Node for MasterEnd {
    node_of_pair!();

    fn metadata(&self) -> Metadata {
        let mut metadata = Metadata::new(Kind::Character, 0o666);
        metadata.special = MAKER;
        metadata
    }

    /// In packet mode a read begins with what has happened, alone, or with a byte that says that there is data.
    fn read_at(&self, _offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        self.pair.operate(|state| {
            let status = state.discipline.take_packet_status();
            if !status.is_empty() {
                return Ok(sink.put(&[status.bits()]));
            }
            if sink.room() == 0 {
                return Ok(0);
            }
            if state.discipline.output_available() == 0 {
                return Err(if state.left { FileError::Failed } else { FileError::WouldBlock });
            }
            let first = if state.discipline.is_packet_mode() { sink.put(&[0]) } else { 0 };
            Ok(first + state.discipline.take_output(sink.room(), &mut |bytes| sink.put(bytes)))
        })
    }

    fn write_at(&self, _offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        self.pair.operate(|state| moved(source, |bytes| state.discipline.receive(bytes)))
    }

    fn readiness(&self) -> Readiness {
        let state = self.pair.state();
        Readiness::READABLE.when(state.discipline.master_is_readable())
            | Readiness::URGENT.when(!state.discipline.packet_status().is_empty())
            | Readiness::WRITABLE.when(state.discipline.master_is_writable())
            | Readiness::HANGUP.when(state.left)
    }

    fn wait_queue(&self) -> Option<&WaitQueue> {
        Some(&self.pair.masters)
    }

    fn available(&self) -> usize {
        self.pair.state().discipline.output_available()
    }
}

impl Terminal for MasterEnd {
    terminal_of_pair!();

    fn flush(&self, input: bool, output: bool) -> Result<(), FileError> {
        self.pair.operate(|State { discipline, .. }| {
            if input {
                discipline.flush_master_input();
            }
            if output {
                discipline.flush_master_output();
            }
        });
        Ok(())
    }

    fn master(&self) -> Option<&dyn Master> {
        Some(self)
    }
}

impl Master for MasterEnd {
    fn number(&self) -> u32 {
        self.pair.number()
    }

    fn is_locked(&self) -> bool {
        self.pair.state().locked
    }

    fn lock(&self, locked: bool) {
        self.pair.state().locked = locked;
    }

    fn has_packets(&self) -> bool {
        self.pair.state().discipline.is_packet_mode()
    }

    fn set_packets(&self, wanted: bool) {
        self.pair.state().discipline.set_packet_mode(wanted);
    }
}
