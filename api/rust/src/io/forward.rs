//! Readers and writers behind references and boxes.

use alloc_crate::{boxed::Box, string::String, vec::Vec};
use core::fmt;

use super::{BufRead, Read, Result, Seek, SeekFrom, Write};

/// All four traits for a pointer, by what it points at.
macro_rules! forward {
    ($pointer:ty) => {
        impl<T: Read + ?Sized> Read for $pointer {
            fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
                (**self).read(buffer)
            }

            fn read_to_end(&mut self, buffer: &mut Vec<u8>) -> Result<usize> {
                (**self).read_to_end(buffer)
            }

            fn read_to_string(&mut self, buffer: &mut String) -> Result<usize> {
                (**self).read_to_string(buffer)
            }

            fn read_exact(&mut self, buffer: &mut [u8]) -> Result<()> {
                (**self).read_exact(buffer)
            }
        }

        impl<T: Write + ?Sized> Write for $pointer {
            fn write(&mut self, bytes: &[u8]) -> Result<usize> {
                (**self).write(bytes)
            }

            fn flush(&mut self) -> Result<()> {
                (**self).flush()
            }

            fn write_all(&mut self, bytes: &[u8]) -> Result<()> {
                (**self).write_all(bytes)
            }

            fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> Result<()> {
                (**self).write_fmt(text)
            }
        }

        impl<T: Seek + ?Sized> Seek for $pointer {
            fn seek(&mut self, position: SeekFrom) -> Result<u64> {
                (**self).seek(position)
            }

            fn stream_position(&mut self) -> Result<u64> {
                (**self).stream_position()
            }
        }

        impl<T: BufRead + ?Sized> BufRead for $pointer {
            fn fill_buf(&mut self) -> Result<&[u8]> {
                (**self).fill_buf()
            }

            fn consume(&mut self, count: usize) {
                (**self).consume(count);
            }

            fn read_until(&mut self, delimiter: u8, buffer: &mut Vec<u8>) -> Result<usize> {
                (**self).read_until(delimiter, buffer)
            }

            fn read_line(&mut self, buffer: &mut String) -> Result<usize> {
                (**self).read_line(buffer)
            }
        }
    };
}

forward!(&mut T);
forward!(Box<T>);
