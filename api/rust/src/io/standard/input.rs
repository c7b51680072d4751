//! Standard input: one buffer for all who read it.

use alloc_crate::string::String;
use sync::{Mutex, MutexGuard};

use super::read;
use crate::io::{BufRead, Lines, Read, Result};

/// Bytes of the buffer. It is static, so reading needs no heap.
const CAPACITY: usize = 4096;

static INPUT: Mutex<Input> = Mutex::new(Input { bytes: [0; CAPACITY], start: 0, end: 0 });

struct Input {
    bytes: [u8; CAPACITY],
    /// What was read ahead.
    start: usize,
    end: usize,
}

/// Standard input.
pub struct Stdin(());

/// Standard input, for one reader alone.
pub struct StdinLock<'a> {
    input: MutexGuard<'a, Input>,
}

/// Standard input.
#[must_use]
pub fn stdin() -> Stdin {
    Stdin(())
}

impl Stdin {
    /// Keeps others out for a while.
    ///
    /// # Panics
    /// If the application itself holds the lock already: without threads it would wait for ever.
    #[must_use]
    pub fn lock(&self) -> StdinLock<'static> {
        let Some(input) = INPUT.try_lock() else { panic!("standard input is locked already") };
        StdinLock { input }
    }

    /// See [`BufRead::read_line`].
    ///
    /// # Errors
    /// See [`BufRead::read_line`].
    pub fn read_line(&self, buffer: &mut String) -> Result<usize> {
        self.lock().read_line(buffer)
    }

    /// See [`BufRead::lines`].
    #[must_use]
    pub fn lines(self) -> Lines<StdinLock<'static>> {
        self.lock().lines()
    }
}

impl Read for StdinLock<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.input.start == self.input.end && buffer.len() >= CAPACITY {
            return read(buffer);
        }
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for StdinLock<'_> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        let Input { bytes, start, end } = &mut *self.input;
        if start == end {
            (*start, *end) = (0, 0);
            *end = read(bytes)?;
        }
        Ok(&bytes[*start..*end])
    }

    fn consume(&mut self, count: usize) {
        self.input.start = self.input.start.saturating_add(count).min(self.input.end);
    }
}

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.lock().read(buffer)
    }
}

impl Read for &Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.lock().read(buffer)
    }
}
