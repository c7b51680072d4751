//! Text on the serial port, which every machine monitor has: no frames, so output and error are one stream.

use machine::{ConsoleError, Stream};

use crate::devices::uart;

/// The byte that ends the input: what a terminal sends for Ctrl-D (ASCII's EOT), and the command behind a file's end.
const END: u8 = 4;

/// Provider of the contract `console`.
#[derive(Debug, Default)]
pub struct Plain;

impl Plain {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::Console for Plain {
    fn read(&self, buffer: &mut [u8]) -> Result<usize, ConsoleError> {
        let mut count = 0;
        for place in buffer {
            match uart::read() {
                Some(END) => return Ok(count),
                Some(byte) => *place = byte,
                None if count == 0 => return Err(ConsoleError::WouldBlock),
                None => break,
            }
            count += 1;
        }
        Ok(count)
    }

    fn write(&self, _: Stream, bytes: &[u8]) -> Result<usize, ConsoleError> {
        uart::write(bytes);
        uart::drain();
        Ok(bytes.len())
    }
}
