//! The end that is a terminal to programs (pts(4)).

use alloc::sync::Arc;

use line_discipline::{FlowCharacter, LocalFlags, TERMIOS, Wait};
use sync::WaitQueue;
use vfs::{Control, FileError, Flow, Kind, Metadata, Node, Readiness, Seeking, Sink, Source, Terminal, Timing};

use super::{
    SLAVES,
    pair::{Pair, State, moved, node_of_pair, terminal_of_pair},
};
use crate::jobs::jobs;

/// An open slave. Closing it is dropping it.
pub struct SlaveEnd {
    pair: Arc<Pair>,
}

impl SlaveEnd {
    /// Opens it; [`FileError::Failed`] (EIO) while it is locked, and when nobody drives it.
    pub fn open(pair: Arc<Pair>) -> Result<Arc<Self>, FileError> {
        let mut state = pair.state();
        if state.locked || !state.driven {
            return Err(FileError::Failed);
        }
        state.slaves += 1;
        state.left = false;
        drop(state);
        Ok(Arc::new(Self { pair }))
    }

    fn stops_writers(&self) -> bool {
        self.pair.state().discipline.attributes().local.contains(LocalFlags::TOSTOP)
    }
}

impl Drop for SlaveEnd {
    fn drop(&mut self) {
        let mut state = self.pair.state();
        state.slaves -= 1;
        state.left = state.slaves == 0;
        drop(state);
        self.pair.masters.wake_all();
    }
}

impl Node for SlaveEnd {
    node_of_pair!();

    fn metadata(&self) -> Metadata {
        let mut metadata = Metadata::new(Kind::Character, 0o620);
        metadata.special = (SLAVES, self.pair.number());
        metadata
    }

    fn open(&self, _read: bool, _write: bool) -> Result<Option<Arc<dyn Node>>, FileError> {
        Ok(Some(Self::open(Arc::clone(&self.pair))?))
    }

    fn read_at(&self, _offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        if self.pair.check().is_err() {
            return Ok(0);
        }
        if let Some(jobs) = jobs() {
            jobs.may_read(self.pair.control())?;
        }
        self.pair.operate(|State { discipline, .. }| {
            // Bytes stay where they are until there are enough of them.
            let wanted = sink.room();
            if discipline.waits_for(wanted).is_some() {
                return Err(FileError::WouldBlock);
            }
            Ok(discipline.read(wanted, &mut |bytes| sink.put(bytes)))
        })
    }

    fn write_at(&self, _offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        self.pair.check()?;
        if let Some(jobs) = jobs()
            && self.stops_writers()
        {
            jobs.may_write(self.pair.control())?;
        }
        self.pair.operate(|state| moved(source, |bytes| state.discipline.write(bytes)))
    }

    fn readiness(&self) -> Readiness {
        let state = self.pair.state();
        if !state.driven {
            return Readiness::ALWAYS | Readiness::ERROR | Readiness::HANGUP;
        }
        Readiness::READABLE.when(state.discipline.slave_is_readable())
            | Readiness::WRITABLE.when(state.discipline.slave_is_writable())
    }

    fn wait_queue(&self) -> Option<&WaitQueue> {
        Some(&self.pair.slaves)
    }

    fn available(&self) -> usize {
        self.pair.state().discipline.input_available()
    }
}

impl Terminal for SlaveEnd {
    terminal_of_pair!();

    fn flush(&self, input: bool, output: bool) -> Result<(), FileError> {
        self.pair.operate(|State { discipline, .. }| {
            if input {
                discipline.flush_input();
            }
            if output {
                discipline.flush_output();
            }
        });
        Ok(())
    }

    fn flow(&self, flow: Flow) -> Result<(), FileError> {
        self.pair.operate(|State { discipline, .. }| match flow {
            Flow::Stop => discipline.stop_output(),
            Flow::Start => discipline.start_output(),
            Flow::AskToStop => discipline.send_flow_character(FlowCharacter::Stop),
            Flow::AskToStart => discipline.send_flow_character(FlowCharacter::Start),
        });
        Ok(())
    }

    fn timing(&self) -> Option<Timing> {
        const TENTH: u64 = 100_000_000;
        let (tenths, between) = match self.pair.state().discipline.waits_for(usize::MAX)? {
            Wait::InAll(tenths) => (tenths, false),
            Wait::ForNext(tenths) => (tenths, true),
            Wait::ForEver => return None,
        };
        Some(Timing { limit: u64::from(tenths) * TENTH, between })
    }

    fn take_now(&self, sink: &mut dyn Sink) -> usize {
        let is_kept_out = jobs().is_some_and(|jobs| jobs.is_in_background(self.pair.control()));
        if is_kept_out || self.pair.check().is_err() {
            return 0;
        }
        self.pair.operate(|state| state.discipline.read(sink.room(), &mut |bytes| sink.put(bytes)))
    }

    fn is_taken_by_opening(&self) -> bool {
        true
    }
}
