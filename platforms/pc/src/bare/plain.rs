//! Text on the serial port, which every machine monitor has: no frames, so output and error are one stream.
//!
//! Setting the port up drops what has arrived, so the command waits with input until it is asked for, by a frame on
//! port 0xE9. Others, a person at a terminal above all, come later anyway.

use core::sync::atomic::{AtomicBool, Ordering};

use machine::{ConsoleError, Stream};
use wire::{FromGuest, Header};

use super::port;
use crate::devices::uart;

/// The byte that ends the input: what a terminal sends for Ctrl-D (ASCII's EOT), and the command behind a file's end.
const END: u8 = 4;

/// Whether the end of the input has come: a read behind the one that met it finds it again.
static ENDED: AtomicBool = AtomicBool::new(false);

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
        ask();
        if ENDED.load(Ordering::Relaxed) {
            return Ok(0);
        }
        let mut count = 0;
        for place in buffer {
            match uart::read() {
                Some(END) => {
                    ENDED.store(true, Ordering::Relaxed);
                    break;
                }
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

/// Asks the command for input, once.
fn ask() {
    static ASKED: AtomicBool = AtomicBool::new(false);
    if !ASKED.swap(true, Ordering::Relaxed) {
        uart::start();
        port::send(Header { kind: FromGuest::WantInput as u8, argument: 0, length: 0, number: 1 }, &[]);
    }
}
