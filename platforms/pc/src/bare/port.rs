//! Frames on port 0xE9, which QEMU's isa-debugcon passes on: output and error as streams of their own, and the exit, at
//! one instruction for a whole string. Nothing can be read.

use core::arch::asm;

use machine::{ConsoleError, Stream};
use wire::{FromGuest, Header, MAX_PAYLOAD};

/// The port, as in Bochs and QEMU.
const PORT: u16 = 0xe9;

/// Sends a frame. Without the device, the bytes go nowhere.
pub(super) fn send(header: Header, payload: &[u8]) {
    put(&header.encode());
    put(payload);
}

fn put(bytes: &[u8]) {
    // SAFETY: reads the bytes only; the boot code has cleared the direction flag.
    unsafe {
        asm!("rep outsb", in("dx") PORT, inout("rsi") bytes.as_ptr() => _, inout("rcx") bytes.len() => _,
             options(readonly, nostack, preserves_flags));
    }
}

/// Provider of the contract `console`.
#[derive(Debug, Default)]
pub struct PortConsole;

impl PortConsole {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::Console for PortConsole {
    fn read(&self, _: &mut [u8]) -> Result<usize, ConsoleError> {
        Ok(0)
    }

    fn write(&self, stream: Stream, bytes: &[u8]) -> Result<usize, ConsoleError> {
        let bytes = &bytes[..bytes.len().min(MAX_PAYLOAD)];
        let kind = FromGuest::Output as u8;
        send(Header { kind, argument: stream as u8, length: bytes.len() as u32, number: 0 }, bytes);
        Ok(bytes.len())
    }
}
