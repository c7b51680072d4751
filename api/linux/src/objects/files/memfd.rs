//! Files in memory without a name, which can be sealed (memfd_create(2), fcntl(2)): what a seal forbids is EPERM from
//! then on, for all who have the file.

use alloc::sync::Arc;

use linux_abi::constants::{F_SEAL_EXEC, F_SEAL_FUTURE_WRITE, F_SEAL_GROW, F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_WRITE};
use machine::PAGE_SIZE;
use sync::Mutex;
use vfs::{Change, Extended, FileError, FilePages, FileSystem, Kind, Metadata, Node, Sink, Source};

use super::longest::First;

const WRITE: u32 = F_SEAL_WRITE | F_SEAL_FUTURE_WRITE;
const EXECUTABLE: u32 = 0o111;

/// A file in memory.
pub struct MemFd {
    file: Arc<dyn Node>,
    state: Mutex<State>,
}

struct State {
    seals: u32,
    /// Shared mappings that may be written, or become so.
    writable: usize,
}

impl MemFd {
    /// `file`, with these seals.
    #[must_use]
    pub fn new(file: Arc<dyn Node>, seals: u32) -> Self {
        Self { file, state: Mutex::new(State { seals, writable: 0 }) }
    }

    /// The seals.
    #[must_use]
    pub fn seals(&self) -> u32 {
        self.state.lock().seals
    }

    /// Adds seals. [`FileError::NotPermitted`] if that has been sealed, [`FileError::Busy`] if nobody is to write and
    /// somebody has a mapping for that.
    pub fn seal(&self, seals: u32) -> Result<(), FileError> {
        let is_executable = self.file.metadata().mode & EXECUTABLE != 0;
        let mut state = self.state.lock();
        if state.seals & F_SEAL_SEAL != 0 {
            return Err(FileError::NotPermitted);
        }
        if seals & !state.seals & F_SEAL_WRITE != 0 && state.writable > 0 {
            return Err(FileError::Busy);
        }
        // What can be executed and stays so is not to change.
        let implied = seals & F_SEAL_EXEC != 0 && is_executable;
        state.seals |= seals | if implied { F_SEAL_SHRINK | F_SEAL_GROW | WRITE } else { 0 };
        Ok(())
    }

    fn check(&self, forbidden_by: u32) -> Result<(), FileError> {
        if self.seals() & forbidden_by == 0 { Ok(()) } else { Err(FileError::NotPermitted) }
    }

    /// How many of `left` bytes may be written from `offset` on: with [`F_SEAL_GROW`], those of the pages before the
    /// one in which the file would grow, as on Linux.
    fn most(&self, offset: u64, left: usize) -> Result<usize, FileError> {
        let seals = self.seals();
        if left == 0 || seals & (WRITE | F_SEAL_GROW) == 0 {
            return Ok(left);
        }
        let length = self.file.metadata().size;
        if seals & WRITE == 0 && offset.saturating_add(left as u64) <= length {
            return Ok(left);
        }
        let most = (length - length % PAGE_SIZE as u64).saturating_sub(offset);
        if seals & WRITE != 0 || most == 0 { Err(FileError::NotPermitted) } else { Ok(most as usize) }
    }

    /// A shared mapping is made; `write` says whether it is written at once. Answers what keeps the file from being
    /// sealed, or nothing if the mapping is never to be written.
    pub fn map(self: &Arc<Self>, write: bool) -> Result<Option<Writable>, FileError> {
        let mut state = self.state.lock();
        if state.seals & WRITE == 0 {
            state.writable += 1;
            return Ok(Some(Writable(Arc::clone(self))));
        }
        if write { Err(FileError::NotPermitted) } else { Ok(None) }
    }
}

/// A shared mapping that may be written.
pub struct Writable(Arc<MemFd>);

impl Drop for Writable {
    fn drop(&mut self) {
        self.0.state.lock().writable -= 1;
    }
}

impl Node for MemFd {
    fn kind(&self) -> Kind {
        Kind::Regular
    }

    fn metadata(&self) -> Metadata {
        self.file.metadata()
    }

    fn change(&self, change: &Change) -> Result<(), FileError> {
        if change.mode.is_some_and(|mode| (mode ^ self.file.metadata().mode) & EXECUTABLE != 0) {
            self.check(F_SEAL_EXEC)?;
        }
        self.file.change(change)
    }

    fn extended(&self) -> Option<&Mutex<Extended>> {
        self.file.extended()
    }

    fn file_system(&self) -> FileSystem {
        self.file.file_system()
    }

    fn system(&self) -> usize {
        self.file.system()
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        self.file.read_at(offset, sink)
    }

    fn note_read(&self) {
        self.file.note_read();
    }

    fn write_at(&self, offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        let most = self.most(offset, source.left())?;
        self.file.write_at(offset, &mut First::new(source, most))
    }

    fn append(&self, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
        self.most(self.file.metadata().size, source.left())?;
        self.file.append(source)
    }

    fn set_length(&self, length: u64) -> Result<(), FileError> {
        match length.cmp(&self.file.metadata().size) {
            core::cmp::Ordering::Less => self.check(F_SEAL_SHRINK)?,
            core::cmp::Ordering::Greater => self.check(F_SEAL_GROW)?,
            core::cmp::Ordering::Equal => {}
        }
        self.file.set_length(length)
    }

    fn erase(&self, offset: u64, length: u64) -> Result<(), FileError> {
        self.check(WRITE)?;
        self.file.erase(offset, length)
    }

    fn pages(&self) -> Option<&dyn FilePages> {
        self.file.pages()
    }
}
