//! Frames on port 0xE9, which QEMU's isa-debugcon passes on: output and error as streams of their own, and the exit, at
//! one instruction for a whole string. Nothing can be read.

use core::arch::asm;

use wire::{
    Header,
    guest::{Output, Sender},
};

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
pub type PortConsole = Output<DebugPort>;

/// That port.
#[derive(Debug)]
pub struct DebugPort;

impl Sender for DebugPort {
    fn send(header: Header, payload: &[u8]) {
        send(header, payload);
    }
}
