//! An open console.

use contracts::console;
use machine::Stream;
use vfs::{Change, FileError, FileSystem, Kind, Metadata, Node, Readiness, Seeking, Sink, Source, Terminal};

use super::{CONTROL, buffer, terminal, writers};
use crate::jobs::jobs;

/// Which side of the console a node shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// One of the standard streams.
    Stream(Stream),
    /// The terminal; where there is none, standard input and output.
    Terminal,
}

/// An open console.
#[derive(Debug)]
pub struct Console {
    face: Face,
}

impl Console {
    pub(super) const fn new(face: Face) -> Self {
        Self { face }
    }

    fn is_terminal(&self) -> bool {
        match self.face {
            Face::Stream(stream) => console::is_terminal(stream),
            Face::Terminal => terminal::stream().is_some(),
        }
    }

    pub(super) fn terminal_stream(&self) -> Result<Stream, FileError> {
        let stream = match self.face {
            Face::Stream(stream) => Some(stream).filter(|&stream| console::is_terminal(stream)),
            Face::Terminal => terminal::stream(),
        };
        stream.ok_or(FileError::NotTerminal)
    }

    /// Whether reading means standard input: keys come from there or from nowhere.
    fn reads(&self) -> bool {
        match self.face {
            Face::Stream(Stream::Input) => true,
            _ => !self.is_terminal() && self.face == Face::Terminal || self.is_terminal() && has_keys(),
        }
    }

    /// Where writing goes.
    fn output(&self) -> Option<Stream> {
        match self.face {
            Face::Stream(stream @ (Stream::Output | Stream::Error)) => Some(stream),
            Face::Stream(Stream::Input) if !self.is_terminal() => None,
            Face::Terminal if !self.is_terminal() => Some(Stream::Output),
            _ => terminal::output(),
        }
    }
}

fn has_keys() -> bool {
    console::is_terminal(Stream::Input)
}

/// What `/dev/console` in the tree says, so that ttyname(3) finds a terminal's name.
fn entry() -> Option<Metadata> {
    let node = crate::DEVICES.get()?.lookup(b"console").ok()?;
    if node.kind() == Kind::Character { Some(node.metadata()) } else { None }
}

impl Node for Console {
    fn kind(&self) -> Kind {
        if self.face == Face::Terminal || self.is_terminal() { Kind::Character } else { Kind::Pipe }
    }

    fn metadata(&self) -> Metadata {
        if self.kind() == Kind::Character {
            if let Some(entry) = entry() {
                return entry;
            }
            let mut plain = Metadata::new(Kind::Character, 0o620);
            plain.special = super::CONSOLE;
            return plain;
        }
        let mut metadata = Metadata::new(Kind::Pipe, 0o600);
        metadata.device = crate::device::PIPES;
        metadata.inode = match self.face {
            Face::Stream(stream) => stream as u64 + 1,
            Face::Terminal => 0,
        };
        metadata.set_times(crate::clock::now());
        metadata
    }

    fn change(&self, _change: &Change) -> Result<(), FileError> {
        Ok(())
    }

    fn file_system(&self) -> FileSystem {
        const PIPEFS: u64 = 0x5049_5045;
        FileSystem { magic: PIPEFS, block_size: 4096, ..FileSystem::default() }
    }

    fn read_at(&self, _offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        if self.reads() {
            if let Some(jobs) = jobs()
                && self.is_terminal()
            {
                jobs.may_read(&CONTROL)?;
            }
            return buffer::read(sink);
        }
        // A terminal whose keys nobody passes on is one that hung up: it ends.
        if self.is_terminal() { Ok(0) } else { Err(FileError::BadDescriptor) }
    }

    fn write_at(&self, _offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        if writers::stops_writers()
            && self.is_terminal()
            && let Some(jobs) = jobs()
        {
            jobs.may_write(&CONTROL)?;
        }
        match self.output() {
            Some(stream) => buffer::write(stream, source),
            None if self.is_terminal() => Err(FileError::Failed),
            None => Err(FileError::BadDescriptor),
        }
    }

    fn set_length(&self, _length: u64) -> Result<(), FileError> {
        Err(FileError::Invalid)
    }

    fn seeking(&self) -> Seeking {
        Seeking::Stream
    }

    fn readiness(&self) -> Readiness {
        let mut ready = Readiness::empty();
        if self.reads() {
            let input = console::readiness(Stream::Input);
            ready |= Readiness::READABLE.when(input.readable || buffer::waiting() > 0);
            ready |= Readiness::HANGUP.when(input.hangup);
        } else if self.is_terminal() {
            ready |= Readiness::READABLE | Readiness::HANGUP;
        }
        if let Some(stream) = self.output() {
            let output = console::readiness(stream);
            ready |= Readiness::WRITABLE.when(output.writable) | Readiness::ERROR.when(output.hangup);
        }
        ready
    }

    fn available(&self) -> usize {
        if !self.reads() {
            return 0;
        }
        // How much there is, only reading tells; that there is something counts as one byte.
        let input = console::readiness(Stream::Input);
        buffer::waiting().max(usize::from(input.readable && !input.hangup))
    }

    fn stop_waiting(&self) {
        // Who may not read has left no wish behind: it would be that of somebody in the foreground.
        let is_kept_out = || jobs().is_some_and(|jobs| jobs.is_in_background(&CONTROL));
        if self.reads() && !(self.is_terminal() && is_kept_out()) {
            console::cancel_read();
        }
    }

    fn terminal(&self) -> Option<&dyn Terminal> {
        self.is_terminal().then_some(self)
    }
}
