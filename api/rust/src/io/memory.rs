//! Memory as a stream: slices, vectors and queues.

use alloc_crate::{collections::VecDeque, vec::Vec};
use core::mem;

use super::{BufRead, Read, Result, Write, read::too_short, write::too_much};

impl Read for &[u8] {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let (now, later) = self.split_at(self.len().min(buffer.len()));
        buffer[..now.len()].copy_from_slice(now);
        *self = later;
        Ok(now.len())
    }

    fn read_exact(&mut self, buffer: &mut [u8]) -> Result<()> {
        if buffer.len() > self.len() {
            *self = &self[self.len()..];
            return Err(too_short());
        }
        self.read(buffer).map(drop)
    }

    fn read_to_end(&mut self, buffer: &mut Vec<u8>) -> Result<usize> {
        buffer.try_reserve(self.len())?;
        buffer.extend_from_slice(self);
        Ok(mem::take(self).len())
    }
}

impl BufRead for &[u8] {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        Ok(self)
    }

    fn consume(&mut self, count: usize) {
        *self = &self[count..];
    }
}

impl Write for &mut [u8] {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let count = bytes.len().min(self.len());
        let (now, later) = mem::take(self).split_at_mut(count);
        now.copy_from_slice(&bytes[..count]);
        *self = later;
        Ok(count)
    }

    fn write_all(&mut self, bytes: &[u8]) -> Result<()> {
        if self.write(bytes)? == bytes.len() { Ok(()) } else { Err(too_much()) }
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Write for Vec<u8> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Read for VecDeque<u8> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for VecDeque<u8> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        Ok(self.as_slices().0)
    }

    fn consume(&mut self, count: usize) {
        self.drain(..count);
    }
}

impl Write for VecDeque<u8> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
