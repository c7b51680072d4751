//! The end that is a terminal to programs (pts(4)).

use alloc::sync::Arc;

use line_discipline::{FlowCharacter, LocalFlags, Progress, Reading};
use sync::WaitQueue;
use vfs::{Control, FileError, Flow, Kind, Metadata, Node, Readiness, Seeking, Sink, Source, Terminal, Timing};

use super::{
    SLAVES,
    pair::{Pair, State, moved},
};
use crate::console;

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

    /// Nobody drives it any more: it has hung up.
    fn is_over(&self) -> bool {
        !self.pair.state().driven
    }

    fn check(&self) -> Result<(), FileError> {
        if self.is_over() { Err(FileError::Failed) } else { Ok(()) }
    }

    fn stops_writers(&self) -> bool {
        self.pair.state().discipline.attributes().local.contains(LocalFlags::TOSTOP)
    }

    fn take(&self, sink: &mut dyn Sink) -> usize {
        let mut reading = Reading::new(sink.room());
        self.pair.operate(|state| state.discipline.read(&mut reading, &mut |bytes| sink.put(bytes)));
        reading.taken()
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
    fn kind(&self) -> Kind {
        Kind::Character
    }

    fn metadata(&self) -> Metadata {
        let mut metadata = Metadata::new(Kind::Character, 0o620);
        metadata.special = (SLAVES, self.pair.number());
        metadata
    }

    fn open(&self, _read: bool, _write: bool) -> Result<Option<Arc<dyn Node>>, FileError> {
        Ok(Some(Self::open(Arc::clone(&self.pair))?))
    }

    fn read_at(&self, _offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        if self.is_over() {
            return Ok(0);
        }
        if let Some(jobs) = console::jobs() {
            jobs.may_read(self.pair.control())?;
        }
        // Bytes stay where they are until there are enough of them.
        if self.pair.state().discipline.waits_for(sink.room()) != Progress::Over {
            return Err(FileError::WouldBlock);
        }
        Ok(self.take(sink))
    }

    fn write_at(&self, _offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        self.check()?;
        if let Some(jobs) = console::jobs()
            && self.stops_writers()
        {
            jobs.may_write(self.pair.control())?;
        }
        self.pair.operate(|state| moved(source, |bytes| state.discipline.write(bytes)))
    }

    fn set_length(&self, _length: u64) -> Result<(), FileError> {
        Err(FileError::Invalid)
    }

    fn seeking(&self) -> Seeking {
        Seeking::Stream
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

    fn terminal(&self) -> Option<&dyn Terminal> {
        Some(self)
    }
}

impl Terminal for SlaveEnd {
    fn attributes(&self) -> Result<[u8; 36], FileError> {
        self.check()?;
        Ok(self.pair.attributes())
    }

    fn set_attributes(&self, when: u8, attributes: &[u8; 36]) -> Result<(), FileError> {
        self.check()?;
        self.pair.set_attributes(when, attributes);
        Ok(())
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
        match self.pair.state().discipline.waits_for(usize::MAX) {
            Progress::WaitsInAll(tenths) => Some(Timing { limit: u64::from(tenths) * TENTH, between: false }),
            Progress::WaitsForNext(tenths) => Some(Timing { limit: u64::from(tenths) * TENTH, between: true }),
            Progress::Waits | Progress::Over => None,
        }
    }

    fn take_now(&self, sink: &mut dyn Sink) -> usize {
        let is_kept_out = console::jobs().is_some_and(|jobs| jobs.is_in_background(self.pair.control()));
        if is_kept_out || self.is_over() { 0 } else { self.take(sink) }
    }

    fn is_taken_by_opening(&self) -> bool {
        true
    }
}
